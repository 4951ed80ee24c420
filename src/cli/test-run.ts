import type { Coverage } from "../scenario/coverage.ts";
import { runnersNamed } from "../scenario/files.ts";
import type { Scenario } from "../scenario/model.ts";
import { openScenarios, type Result, type Runner } from "../scenario/run.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import { type ConfigurationLoader, createConfigurationLoader } from "./configurations.ts";
import { uniqueDiagnostics } from "./diagnostics.ts";
import { type Registry, standardRegistry } from "./registry.ts";
import { readScenarioSources, type ScenarioSources } from "./scenario-sources.ts";
import { prepareScenarios } from "./scenarios.ts";
import { type CommandError, commandFailure, silentTerminal, type Terminal } from "./terminal.ts";
import { shareWork } from "./workers.ts";

/** Which scenarios to run, where and how. */
export interface TestOptions {
  /** `reference`, a target, or `all`. */
  readonly on: string;
  readonly isMeasured: boolean;
  readonly isStrict: boolean;
  /** Parts of names, without regard to case; empty for all scenarios. */
  readonly filters: readonly string[];
  /** The definitions of files with several, for scenario files that pick none. */
  readonly pick?: readonly string[] | undefined;
  /** Stop after the first failure. */
  readonly bails: boolean;
  /** The number of threads. */
  readonly jobs: number;
}

/** The results of scenario files. */
export interface TestRun {
  readonly results: readonly Result[];
  readonly diagnostics: readonly Diagnostic[];
  readonly coverages: readonly Coverage[];
  /** Whether `filters` omitted all scenarios of the files. */
  readonly isEmpty: boolean;
}

/** One scenario file, in the form that a worker receives. */
export interface ScenarioJob {
  readonly kind: "scenarios";
  readonly source: Source;
  readonly config: string | undefined;
  readonly cwd: string;
  readonly options: TestOptions;
}

/** Runs the scenario files of arguments, or those of the projects. Prints nothing. */
export async function runTests(
  paths: readonly string[],
  config: string | undefined,
  options: TestOptions,
  terminal: Terminal,
  registry: Registry,
  onProgress?: (done: number, total: number) => void,
): Promise<TestRun> {
  const found: Diagnostic[] = [];
  const report: Report = (diagnostic) => found.push(diagnostic);
  const groups = await readScenarioSources(paths, config, terminal, registry, report);
  const runs = await runGroups(groups, options, terminal, registry, onProgress);
  const isEmpty = runs.length > 0 && runs.every((run) => run.isEmpty);
  if (isEmpty && found.length === 0) throw noScenarioMatches(options.filters);
  return {
    results: runs.flatMap(({ results }) => results),
    diagnostics: uniqueDiagnostics([...found, ...runs.flatMap(({ diagnostics }) => diagnostics)]),
    coverages: runs.flatMap(({ coverages }) => coverages),
    isEmpty,
  };
}

/** The failure of a command whose filters no scenario matches. */
export const noScenarioMatches = (filters: readonly string[]): CommandError =>
  commandFailure(`No scenario has ${filters.map((filter) => `\`${filter}\``).join(" or ")} in its name.`);

/** Runs the files of all groups; results are in their order. */
async function runGroups(
  groups: readonly ScenarioSources[],
  options: TestOptions,
  terminal: Terminal,
  registry: Registry,
  onProgress?: (done: number, total: number) => void,
): Promise<readonly TestRun[]> {
  const files = groups.flatMap(({ sources, ...group }) => sources.map((source) => ({ source, ...group })));
  const runners = await runnersNamed(options.on, registry.targets);
  try {
    return await shareWork<"scenarios", (typeof files)[number]>({
      items: files,
      jobs: options.bails ? 1 : options.jobs,
      perform: (file) => runScenarioFile(file.source, file.configurations, runners, options, terminal, file.registry),
      jobOf({ source: { path, text }, config, registry }) {
        if (registry !== standardRegistry) return undefined;
        return { kind: "scenarios", source: { path, text }, config, cwd: terminal.cwd, options };
      },
      endsWith: (run) => options.bails && hasFailed(run),
      ...(onProgress ? { onProgress } : {}),
    });
  } finally {
    for (const { executor } of runners) executor?.close();
  }
}

const hasFailed = ({ results, diagnostics }: TestRun): boolean =>
  results.some(({ isFailure }) => isFailure) || diagnostics.some(({ severity }) => severity === "error");

/** Runs one file on all runners. */
export async function runScenarioFile(
  source: Source,
  configurations: ConfigurationLoader,
  runners: readonly Runner[],
  { filters, pick, isMeasured, isStrict, bails }: TestOptions,
  terminal: Terminal,
  registry: Registry,
): Promise<TestRun> {
  const diagnostics: Diagnostic[] = [];
  const report: Report = (diagnostic) => diagnostics.push(diagnostic);
  const prepared = await prepareScenarios(source, configurations, terminal, registry, report, { pick });
  if (!prepared) return { results: [], diagnostics, coverages: [], isEmpty: false };
  const scenarios = prepared.file.scenarios.filter((scenario) => matchesFilters(scenario, filters));
  if (scenarios.length === 0 && filters.length > 0) return { results: [], diagnostics, coverages: [], isEmpty: true };
  const session = openScenarios({ ...prepared.file, scenarios }, prepared, registry.languages, { isStrict });
  const results: Result[] = [];
  const coverages: Coverage[] = [];
  try {
    for (const runner of runners) {
      results.push(...(await session.run(runner)));
      const failure = results.findIndex(({ isFailure }) => isFailure);
      if (bails && failure >= 0)
        return { results: results.slice(0, failure + 1), diagnostics, coverages, isEmpty: false };
    }
    if (isMeasured) coverages.push(...(await session.coverage()));
  } finally {
    await session.close();
  }
  return { results, diagnostics, coverages, isEmpty: false };
}

/** Whether a scenario's name contains one of the filters, if there are any. */
export const matchesFilters = ({ name }: Pick<Scenario, "name">, filters: readonly string[]): boolean =>
  filters.length === 0 || filters.some((filter) => name.toLowerCase().includes(filter.toLowerCase()));

/** Runs a job in a worker. */
export async function performScenarioJob({ source, config, cwd, options }: ScenarioJob): Promise<TestRun> {
  const terminal = silentTerminal(cwd);
  const configured: Diagnostic[] = [];
  const loader = createConfigurationLoader(config, standardRegistry, terminal, (each) => configured.push(each));
  const runners = await runnersNamed(options.on, standardRegistry.targets);
  try {
    const run = await runScenarioFile(source, loader, runners, options, terminal, standardRegistry);
    return { ...run, diagnostics: [...configured, ...run.diagnostics] };
  } finally {
    for (const { executor } of runners) executor?.close();
  }
}
