import type { Language } from "../language.ts";
import type { Target } from "../target/contract.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import { definitionsOf, type FindText } from "./definitions.ts";
import { withPick } from "./model.ts";
import { readScenarioFile } from "./read.ts";
import { type Definitions, onReference, onTarget, type Result, type Runner, runScenarios } from "./run.ts";

/** The available languages and targets. */
export interface Known {
  readonly languages: readonly Language[];
  readonly targets: readonly Target[];
}

/** The definitions of scenario files. */
export interface FoundDefinitions extends Omit<Definitions, "sources"> {
  readonly find: FindText;
  /** The definition to test of files with several, for scenario files that pick none. */
  readonly pick?: readonly string[] | undefined;
  /** Checked before each file. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs scenario files. `on`: the reference, a target, or all. */
export async function runFiles(
  files: readonly Source[],
  { find, pick, signal, ...definitions }: FoundDefinitions,
  on: string,
  known: Known,
): Promise<{ readonly results: readonly Result[]; readonly diagnostics: readonly Diagnostic[] }> {
  const results: Result[] = [];
  const diagnostics: Diagnostic[] = [];
  const runners = await runnersNamed(on, known.targets);
  try {
    for (const source of files) {
      signal?.throwIfAborted();
      let isBroken = false;
      const report: Report = (found) => {
        isBroken ||= found.severity === "error";
        diagnostics.push(found);
      };
      const targets = known.targets.map(({ name }) => name);
      const file = readScenarioFile(source, { languages: known.languages, targets }, report);
      const named = file ? await definitionsOf(file, source, find, report) : [];
      if (!file || isBroken) continue;
      for (const runner of runners)
        results.push(
          ...(await runScenarios(withPick(file, pick), { ...definitions, sources: named }, runner, known.languages)),
        );
    }
  } finally {
    for (const { executor } of runners) executor?.close();
  }
  return { results, diagnostics };
}

/** Selects the reference interpreter, a target, or all of them. */
export async function runnersNamed(name: string, targets: readonly Target[]): Promise<readonly Runner[]> {
  const wanted = targets.filter((target) => name === "all" || target.name === name);
  const isReference = name === "all" || name === onReference.name;
  return [...(isReference ? [onReference] : []), ...(await Promise.all(wanted.map(onTarget)))];
}
