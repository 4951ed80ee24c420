import { renderText } from "../diagnostics/renderers/text.ts";
import { type Coverage, isCovered, sumOf } from "../scenario/coverage.ts";
import { runnersNamed } from "../scenario/files.ts";
import { recognisesScenario } from "../scenario/read.ts";
import { renderCoverage } from "../scenario/report/coverage.ts";
import { renderResultsJunit } from "../scenario/report/junit.ts";
import { type Measured, renderResults, renderResultsJson } from "../scenario/report/results.ts";
import { onReference, openScenarios, type Result, type Runner } from "../scenario/run.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import { type ConfigurationLoader, createConfigurationLoader } from "./configurations.ts";
import { requireOneOf } from "./flags.ts";
import { namesOf, type Registry } from "./registry.ts";
import { type PreparedScenarios, prepareScenarios } from "./scenarios.ts";
import { readSources, type SourceFilter } from "./sources.ts";
import { type ExitStatus, exit, type Terminal, usageError } from "./terminal.ts";

/** The flags of `waybill test`. */
export interface TestFlags {
  readonly on: string;
  readonly config?: string;
  readonly format: string;
  /** The minimum in percent; default: not measured. */
  readonly coverage?: string;
  readonly strict?: boolean;
  readonly color?: boolean;
}

/** Runs `waybill test`. */
export async function test(
  paths: readonly string[],
  flags: TestFlags,
  terminal: Terminal,
  registry: Registry,
): Promise<ExitStatus> {
  const format = requireOneOf("--format", flags.format, ["text", "json", "junit"]);
  const minimum = parseMinimum(flags);
  const on = requireOneOf("--on", flags.on, [onReference.name, ...namesOf(registry.targets), "all"]);
  const runners = await runnersNamed(on, registry.targets);
  const found: TestRun = { results: [], diagnostics: [], coverages: [] };
  try {
    const report: Report = (diagnostic) => found.diagnostics.push(diagnostic);
    const options = { isMeasured: minimum !== undefined, isStrict: flags.strict ?? false };
    for (const { sources, configurations } of await scenarioSources(paths, flags, terminal, registry, report)) {
      for (const source of sources) {
        const prepared = await prepareScenarios(source, configurations, terminal, registry, report);
        if (prepared) await runFile(prepared, runners, options, registry, found);
      }
    }
  } finally {
    for (const { executor } of runners) executor?.close();
  }
  const { results, diagnostics } = found;
  const measured = minimum === undefined ? undefined : { coverage: sumOf(found.coverages), minimum };
  if (diagnostics.length > 0) terminal.err(renderText(diagnostics, { color: flags.color ?? terminal.color }));
  printResults(format, found, measured, terminal);
  const isFine = !measured || isCovered(measured.coverage, measured.minimum);
  const isFailed =
    diagnostics.some(({ severity }) => severity === "error") || results.some(({ isFailure }) => isFailure);
  return isFailed || !isFine ? exit.problems : exit.success;
}

interface ScenarioSources {
  readonly sources: readonly Source[];
  readonly configurations: ConfigurationLoader;
}

/** Reads the scenario files of arguments, or those of the projects. */
async function scenarioSources(
  paths: readonly string[],
  flags: TestFlags,
  terminal: Terminal,
  registry: Registry,
  report: Report,
): Promise<readonly ScenarioSources[]> {
  const filterFor = (configurations: ConfigurationLoader): SourceFilter => ({
    noun: "scenario file",
    recognizes: recognisesScenario,
    hints: [/\bscenarios["']?\s*:/],
    includes: (file) => configurations.includes(file, {}, ["exclude"]),
  });
  if (paths.length > 0) {
    const configurations = createConfigurationLoader(flags.config, registry, terminal, report);
    const { sources } = await readSources(paths, filterFor(configurations), terminal, report);
    return [{ sources, configurations }];
  }
  const { findProjects } = await import("./projects.ts");
  const found: ScenarioSources[] = [];
  for (const project of await findProjects([], terminal, registry)) {
    for (const diagnostic of project.diagnostics) report(diagnostic);
    const { configurations } = project;
    found.push({ configurations, sources: (await project.readScenarios(filterFor(configurations), report)).sources });
    if (project.project.scenarios.length === 0 && project.diagnostics.length === 0)
      throw usageError(
        `The project in \`${project.displayName}\` has no \`scenarios\`. Pass files, or add globs to it.`,
      );
  }
  return found;
}

interface TestRun {
  readonly results: Result[];
  readonly diagnostics: Diagnostic[];
  readonly coverages: Coverage[];
}

async function runFile(
  prepared: PreparedScenarios,
  runners: readonly Runner[],
  { isMeasured, isStrict }: { readonly isMeasured: boolean; readonly isStrict: boolean },
  { languages }: Registry,
  found: TestRun,
): Promise<void> {
  const session = openScenarios(prepared.file, prepared, languages, { isStrict });
  try {
    for (const runner of runners) found.results.push(...(await session.run(runner)));
    if (isMeasured) found.coverages.push(...(await session.coverage()));
  } finally {
    await session.close();
  }
}

/** JUnit XML cannot hold coverage. */
function printResults(
  format: "text" | "json" | "junit",
  { results, diagnostics }: TestRun,
  measured: Measured | undefined,
  { out, err }: Terminal,
): void {
  const coverage = measured ? renderCoverage(measured.coverage, measured.minimum) : "";
  if (format === "json") out(`${renderResultsJson(results, measured)}\n`);
  else if (format === "junit") {
    out(renderResultsJunit(results, diagnostics));
    err(coverage);
  } else if (results.length > 0 || diagnostics.length === 0) out(renderResults(results) + coverage);
}

function parseMinimum({ coverage }: TestFlags): number | undefined {
  if (coverage === undefined) return undefined;
  const percent = Number(coverage);
  if (/^\d+(\.\d+)?$/.test(coverage) && percent <= 100) return percent;
  throw usageError(`--coverage must be a percentage from 0 to 100, not \`${coverage}\`.`);
}
