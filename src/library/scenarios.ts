import { beside } from "../scenario/definitions.ts";
import type { Result } from "../scenario/run.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import { copySource, type Source } from "../text/source.ts";
import { checkOptions, namesRule, programRules, sourcesRule, targetNamed, targetRule } from "./arguments.ts";
import { hasErrors } from "./compile.ts";
import type { ScenarioOptions } from "./options.ts";
import { type OpenProgram, openProgram } from "./program.ts";

/** The results of scenarios. */
export interface ScenarioReport {
  /** Whether all scenarios passed, except those that do not apply to a target, and no file has errors. */
  readonly ok: boolean;
  /** One per scenario and runner. Files with errors are not run. */
  readonly results: readonly Result[];
  readonly diagnostics: readonly Diagnostic[];
}

const rules = {
  ...programRules,
  scenarios: { ...sourcesRule, isRequired: true },
  sources: sourcesRule,
  pick: namesRule,
  on: { ...targetRule, wanted: "`reference`, `all` or a target" },
};

/** Runs scenarios on virtual time. Rejects only for invalid options. */
export async function runScenarios(options: ScenarioOptions): Promise<ScenarioReport> {
  checkOptions(options, rules);
  const { on = "reference", pick, signal, host } = options;
  const program = await openProgram(options);
  const runner = on === "reference" || on === "all" ? on : targetNamed(on, program.registry).name;
  const scenarios = options.scenarios.map(copySource);
  return runScenarioFiles(scenarios, runner, { ...program, reads: host !== undefined, pick, signal });
}

/** The definitions of scenarios. */
export interface ScenarioProgram extends OpenProgram {
  /** Whether definitions that are not among the sources are read. */
  readonly reads: boolean;
  /** The definition to test of files with several. */
  readonly pick?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Runs scenario files. `on`: the reference, the name of a target, or all. */
export async function runScenarioFiles(
  scenarios: readonly Source[],
  on: string,
  { registry, files, run, reads, pick, signal }: ScenarioProgram,
): Promise<ScenarioReport> {
  const { runFiles } = await import("../scenario/files.ts");
  const { results, diagnostics } = await run(async ({ sources, configurationOf, inputDiagnostics = [] }) => {
    const given = new Map(sources.map((source) => [beside("", source.path), source]));
    const find = async (path: string) =>
      given.get(path) ?? (reads ? files.load(path) : { reason: "it is not among the sources" });
    const read = reads ? files.read : undefined;
    const found = await runFiles(scenarios, { find, configurationOf, read, pick, signal }, on, registry);
    return { ...found, diagnostics: [...inputDiagnostics, ...found.diagnostics] };
  });
  return { ok: !hasErrors(diagnostics) && results.every(({ isFailure }) => !isFailure), results, diagnostics };
}
