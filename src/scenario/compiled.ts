import { check, generate } from "../compile.ts";
import { type Configuration, settingsFor } from "../configuration/index.ts";
import type { Workflow } from "../ir/workflow.ts";
import type { Language } from "../language.ts";
import type { Options, Program, Read } from "../program.ts";
import type { Executor, OutputFile, Target } from "../target.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import type { ScenarioFile } from "./model.ts";

/** What runs scenarios: a target, with what executes its files where it has that, or the reference interpreter. */
export interface Runner {
  readonly name: string;
  /** Absent: the reference. */
  readonly target?: Target | undefined;
  readonly executor?: Executor | undefined;
}

/** The reference interpreter. */
export const onReference: Runner = { name: "reference" };

/** A target with its executor loaded, to be closed when nothing more is run. */
export const onTarget = async (target: Target): Promise<Runner> => ({
  name: target.name,
  target,
  executor: await target.load?.(),
});

/** The definitions that a scenario file names: the workflow first. */
export interface Definitions {
  readonly sources: readonly Source[];
  /** Where functions are, for the targets. */
  readonly configuration?: Configuration | undefined;
  /** Gives the texts that they refer to. */
  readonly read?: Read | undefined;
}

/** A program made ready for a runner, or the diagnostics that say why it is not. */
export interface Compiled {
  readonly program: Program | undefined;
  readonly workflow: Workflow | undefined;
  readonly files: readonly OutputFile[];
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
  { sources, configuration, read }: Definitions,
  options: Options,
  { target }: Runner,
  languages: readonly Language[],
): Promise<Compiled> {
  const { program, diagnostics } = check({ sources, from: file.language, options, read }, languages);
  const workflow = program?.workflows[0];
  if (!program || !target) return { program, workflow, files: [], diagnostics };
  const made = await generate(program, target, { ...settingsFor(target.name, configuration), read });
  const isRefused = made.diagnostics.some(({ severity }) => severity === "error");
  return {
    program: isRefused ? undefined : program,
    workflow,
    files: made.files,
    diagnostics: [...diagnostics, ...made.diagnostics],
  };
}
