import { check, generate } from "../compile.ts";
import type { Workflow } from "../ir/workflow.ts";
import type { Language } from "../language.ts";
import type { Options, Program, Read } from "../program.ts";
import type { Outcome, RunRequest, Target } from "../target.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import type { ScenarioFile } from "./model.ts";

/** What runs scenarios: a target, or the reference interpreter. */
export interface Runner {
  readonly name: string;
  /** The target whose files are made first; absent for the reference. */
  readonly target?: Target | undefined;
  /** Absent when it cannot run scenarios yet. */
  readonly run?: ((request: RunRequest) => Promise<Outcome>) | undefined;
}

/** The definitions that a scenario file names: the workflow first. */
export interface Definitions {
  readonly sources: readonly Source[];
  /** Gives the texts that they refer to. */
  readonly read?: Read | undefined;
}

/** A program made ready for a runner, or the diagnostics that say why it is not. */
export interface Compiled {
  readonly program: Program | undefined;
  readonly workflow: Workflow | undefined;
  readonly files: RunRequest["files"];
  readonly diagnostics: readonly Diagnostic[];
}

/** Gives what a runner runs, made once for the same choices. */
export function compilerFor(
  file: ScenarioFile,
  definitions: Definitions,
  runner: Runner,
  languages: readonly Language[],
): (options: Options) => Promise<Compiled> {
  const compiled = new Map<string, Promise<Compiled>>();
  return (options) => {
    const key = JSON.stringify(options);
    const known = compiled.get(key) ?? compile(file, definitions, options, runner, languages);
    compiled.set(key, known);
    return known;
  };
}

async function compile(
  file: ScenarioFile,
  { sources, read }: Definitions,
  options: Options,
  { target }: Runner,
  languages: readonly Language[],
): Promise<Compiled> {
  const { program, diagnostics } = check({ sources, from: file.language, options, read }, languages);
  const workflow = program?.workflows[0];
  if (!program || !target) return { program, workflow, files: [], diagnostics };
  const generated = await generate(program, target);
  const refused = generated.diagnostics.some(({ severity }) => severity === "error");
  return {
    program: refused ? undefined : program,
    workflow,
    files: generated.files,
    diagnostics: [...diagnostics, ...generated.diagnostics],
  };
}
