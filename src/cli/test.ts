import { renderText } from "../diagnostics/renderers/text.ts";
import { type Coverage, isCovered, sumOf } from "../scenario/coverage.ts";
import { runnersNamed } from "../scenario/files.ts";
import { recognisesScenario } from "../scenario/read.ts";
import { renderCoverage } from "../scenario/report/coverage.ts";
import { renderResultsJunit } from "../scenario/report/junit.ts";
import { type Measured, renderResults, renderResultsJson } from "../scenario/report/results.ts";
import { onReference, openScenarios, type Result, type Runner } from "../scenario/run.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import { oneOf } from "./choices.ts";
import { openConfigurations } from "./configurations.ts";
import { namesOf, type Registry } from "./registry.ts";
import { type Prepared, prepare } from "./scenarios.ts";
import { readSources } from "./sources.ts";
import { type ExitStatus, exit, type Terminal, usage } from "./terminal.ts";

/** The options of `waybill test`. */
export interface TestChoices {
  readonly on: string;
  readonly config?: string;
  readonly format: string;
  /** The share of states and of transitions, in percent, that scenarios must reach; absent: that is not measured. */
  readonly coverage?: string;
  /** Absent: as the terminal has it. */
  readonly color?: boolean;
}

/** `waybill test`: runs scenario files and prints what came of them. Files with mistakes are told of and not run. */
export async function test(
  paths: readonly string[],
  choices: TestChoices,
  terminal: Terminal,
  registry: Registry,
): Promise<ExitStatus> {
  const format = oneOf("--format", choices.format, ["text", "json", "junit"]);
  const minimum = minimumOf(choices);
  const on = oneOf("--on", choices.on, [onReference.name, ...namesOf(registry.targets), "all"]);
  const runners = await runnersNamed(on, registry.targets);
  const found: Found = { results: [], diagnostics: [], coverages: [] };
  try {
    const report: Report = (diagnostic) => found.diagnostics.push(diagnostic);
    const configurations = openConfigurations(choices.config, registry, terminal, report);
    const takes = (file: string) => configurations.takes(file, {}, ["exclude"]);
    const wanted = { noun: "scenario file", recognises: recognisesScenario, traces: [/\bscenarios["']?\s*:/], takes };
    for (const source of (await readSources(paths, wanted, terminal, report)).sources) {
      const prepared = await prepare(source, configurations, terminal, registry, report);
      if (prepared) await runFile(prepared, runners, minimum !== undefined, registry, found);
    }
  } finally {
    for (const { executor } of runners) executor?.close();
  }
  const { results, diagnostics } = found;
  const measured = minimum === undefined ? undefined : { coverage: sumOf(found.coverages), minimum };
  if (diagnostics.length > 0) terminal.err(renderText(diagnostics, { color: choices.color ?? terminal.color }));
  print(format, found, measured, terminal);
  const isFine = !measured || isCovered(measured.coverage, measured.minimum);
  const isFailed =
    diagnostics.some(({ severity }) => severity === "error") || results.some(({ isFailure }) => isFailure);
  return isFailed || !isFine ? exit.problems : exit.fine;
}

/** What came of the files so far. */
interface Found {
  readonly results: Result[];
  readonly diagnostics: Diagnostic[];
  readonly coverages: Coverage[];
}

async function runFile(
  prepared: Prepared,
  runners: readonly Runner[],
  isMeasured: boolean,
  { languages }: Registry,
  found: Found,
): Promise<void> {
  const session = openScenarios(prepared.file, prepared, languages);
  try {
    for (const runner of runners) found.results.push(...(await session.run(runner)));
    if (isMeasured) found.coverages.push(...(await session.coverage()));
  } finally {
    await session.close();
  }
}

/** XML holds results only: what was reached is then told beside it. */
function print(
  format: "text" | "json" | "junit",
  { results, diagnostics }: Found,
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

/** The number after `--coverage`. */
function minimumOf({ coverage }: TestChoices): number | undefined {
  if (coverage === undefined) return undefined;
  const percent = Number(coverage);
  if (/^\d+(\.\d+)?$/.test(coverage) && percent <= 100) return percent;
  throw usage(`--coverage cannot be \`${coverage}\`; it is a share in percent, from 0 to 100.`);
}
