import { renderText } from "../diagnostics/renderers/text.ts";
import { isCovered, sumOf } from "../scenario/coverage.ts";
import { renderCoverage } from "../scenario/report/coverage.ts";
import { renderResultsJunit } from "../scenario/report/junit.ts";
import { type Measured, renderResults, renderResultsJson } from "../scenario/report/results.ts";
import { onReference } from "../scenario/run.ts";
import { parseCount, requireOneOf } from "./flags.ts";
import { countOf, createProgress } from "./progress.ts";
import { namesOf, type Registry } from "./registry.ts";
import { type ExitStatus, exit, outputColor, type Terminal, usageError } from "./terminal.ts";
import { runTests, type TestOptions, type TestRun } from "./test-run.ts";
import { defaultJobs } from "./workers.ts";

/** The flags of `waybill test`. */
export interface TestFlags {
  readonly on: string;
  readonly config?: string;
  readonly format: string;
  /** The minimum in percent; default: not measured. */
  readonly coverage?: string;
  readonly strict?: boolean;
  readonly color?: boolean;
  readonly filter?: readonly string[];
  readonly pick?: readonly string[];
  readonly bail?: boolean;
  readonly jobs?: string;
  readonly watch?: boolean;
  readonly update?: boolean;
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
  const options = parseOptions(flags, minimum !== undefined, registry);
  checkModes(flags, format);
  if (flags.update)
    return (await import("./test-update.ts")).updateScenarios(paths, flags, options, terminal, registry);
  if (flags.watch) return (await import("./test-watch.ts")).testAndWatch(paths, flags, options, terminal, registry);
  const progress = createProgress(terminal);
  const onProgress = (done: number, total: number): void =>
    progress.update(done / total, `Running ${countOf(done, total, "scenario file")}`);
  const run = await runTests(paths, flags.config, options, terminal, registry, onProgress).finally(progress.end);
  const measured = minimum === undefined ? undefined : { coverage: sumOf(run.coverages), minimum };
  if (run.diagnostics.length > 0) terminal.err(renderText(run.diagnostics, { color: flags.color ?? terminal.color }));
  printResults(format, run, measured, outputColor(flags.color, terminal), terminal);
  const isFine = !measured || isCovered(measured.coverage, measured.minimum);
  return isFine && !isFailed(run) ? exit.success : exit.problems;
}

/** Whether a scenario has failed, or a file has errors. */
export const isFailed = ({ results, diagnostics }: TestRun): boolean =>
  diagnostics.some(({ severity }) => severity === "error") || results.some(({ isFailure }) => isFailure);

function parseOptions(flags: TestFlags, isMeasured: boolean, registry: Registry): TestOptions {
  const filters = flags.filter ?? [];
  if (filters.includes("")) throw usageError("--filter must not be empty.");
  return {
    on: requireOneOf("--on", flags.on, [onReference.name, ...namesOf(registry.targets), "all"]),
    isMeasured,
    isStrict: flags.strict ?? false,
    filters,
    pick: flags.pick,
    bails: flags.bail ?? false,
    jobs: parseCount("--jobs", flags.jobs) ?? defaultJobs(),
  };
}

function checkModes({ watch, update, coverage, on, bail, jobs }: TestFlags, format: string): void {
  if (watch && update) throw usageError("--watch cannot be combined with --update.");
  const others = { coverage: coverage !== undefined, bail: bail === true, jobs: jobs !== undefined };
  for (const [mode] of Object.entries({ watch, update }).filter(([, isGiven]) => isGiven)) {
    if (format !== "text") throw usageError(`--${mode} requires --format text.`);
    const [other] = Object.entries(others).find(([, isGiven]) => isGiven) ?? [];
    if (other !== undefined) throw usageError(`--${mode} cannot be combined with --${other}.`);
  }
  if (update && on !== onReference.name)
    throw usageError("--update requires --on reference, which defines what a run does.");
}

/** JUnit XML cannot hold coverage. */
function printResults(
  format: "text" | "json" | "junit",
  { results, diagnostics }: TestRun,
  measured: Measured | undefined,
  color: boolean,
  { out, err }: Terminal,
): void {
  const coverage = measured ? renderCoverage(measured.coverage, measured.minimum) : "";
  if (format === "json") out(`${renderResultsJson(results, measured)}\n`);
  else if (format === "junit") {
    out(renderResultsJunit(results, diagnostics));
    err(coverage);
  } else if (results.length > 0 || diagnostics.length === 0) out(renderResults(results, { color }) + coverage);
}

function parseMinimum({ coverage }: TestFlags): number | undefined {
  if (coverage === undefined) return undefined;
  const percent = Number(coverage);
  if (/^\d+(\.\d+)?$/.test(coverage) && percent <= 100) return percent;
  throw usageError(`--coverage must be a percentage from 0 to 100, not \`${coverage}\`.`);
}
