import { beside } from "../scenario/definitions.ts";
import type { Result } from "../scenario/run.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import { checkOptions, programRules, sourcesRule, targetNamed, targetRule } from "./arguments.ts";
import { hasErrors } from "./compile.ts";
import type { ScenarioOptions } from "./options.ts";
import { openProgram } from "./program.ts";
import { copySource } from "./source.ts";

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
  on: { ...targetRule, wanted: "`reference`, `all` or a target" },
};

/** Runs scenarios on virtual time. Rejects only for invalid options. */
export async function runScenarios(options: ScenarioOptions): Promise<ScenarioReport> {
  checkOptions(options, rules);
  const { on = "reference", signal } = options;
  const { registry, files, run } = await openProgram(options);
  const runner = on === "reference" || on === "all" ? on : targetNamed(on, registry).name;
  const { runFiles } = await import("../scenario/files.ts");
  const scenarios = options.scenarios.map(copySource);
  const { results, diagnostics } = await run(async ({ sources, configurationOf, inputDiagnostics = [] }) => {
    const given = new Map(sources.map((source) => [beside("", source.path), source]));
    const definitions = new Map<string, Source>();
    const find = async (path: string) => {
      const known = given.get(path) ?? definitions.get(path);
      if (known) return known;
      if (!options.host) return { reason: "it is not among the sources" };
      const found = await files.load(path);
      if ("text" in found) definitions.set(path, found);
      return found;
    };
    const read = options.host && files.read;
    const found = await runFiles(scenarios, { find, configurationOf, read, signal }, runner, registry);
    return { ...found, diagnostics: [...inputDiagnostics, ...found.diagnostics] };
  });
  return { ok: !hasErrors(diagnostics) && results.every(({ isFailure }) => !isFailure), results, diagnostics };
}
