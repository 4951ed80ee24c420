import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { renderText } from "../diagnostics/renderers/text.ts";
import { diffScenario, type ScenarioDiff } from "../diff/outcomes.ts";
import { mergeOptions } from "../languages/options.ts";
import type { Options } from "../options.ts";
import { beside } from "../scenario/definitions.ts";
import { type ScenarioFile, withPick } from "../scenario/model.ts";
import { readScenarioFile, recognisesScenario } from "../scenario/read.ts";
import { openScenarios, type Session } from "../scenario/run.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import type { DiffFlags, DiffInput, DiffSide } from "./diff.ts";
import { namesOf, type Registry } from "./registry.ts";
import { readSources } from "./sources.ts";
import { scenarioFiles, skippedScenarios } from "./stats.ts";
import { type Terminal, usageError } from "./terminal.ts";

/** Finds the scenario files to run with both sides; undefined if they have errors. */
export async function findComparedScenarios(
  sides: readonly DiffInput[],
  { scenarios = [], config, pick }: DiffFlags,
  terminal: Terminal,
  registry: Registry,
): Promise<readonly ScenarioFile[] | undefined> {
  const found =
    scenarios === true
      ? await readOwnScenarios(sides, config, terminal, registry)
      : await readGivenScenarios(scenarios || [], terminal, registry);
  return found?.map((file) => withPick(file, pick));
}

/** The options that all scenarios have; none if they differ. */
export function commonOptions(files: readonly ScenarioFile[]): Options {
  const [first = {}, ...others] = files.flatMap(({ scenarios }) => scenarios.map(({ options }) => options));
  return others.every((each) => isDeepStrictEqual(each, first)) ? first : {};
}

/** Runs scenarios on the reference with the definitions of both sides. */
export async function compareScenarios(
  [old, created]: readonly [DiffSide, DiffSide],
  files: readonly ScenarioFile[],
  registry: Registry,
): Promise<readonly ScenarioDiff[]> {
  const diffs: ScenarioDiff[] = [];
  for (const file of files) {
    const sessions = [old, created].map((side) => openSide(file, side, registry));
    try {
      const [before, after] = await Promise.all(sessions.map((session) => session.observations()));
      for (const [i, { scenario, seen }] of before!.entries())
        diffs.push(diffScenario(file.path, scenario, seen, after![i]!.seen));
    } finally {
      for (const session of sessions) await session.close();
    }
  }
  return diffs;
}

/** Opens the scenarios of a file for the definitions of a side instead of those that the file names. */
export function openSide(file: ScenarioFile, { input, program }: DiffSide, { languages }: Registry): Session {
  const named = beside(file.path, file.workflow).replace(/^.*\//, "");
  const isNamed = ({ path }: Source): boolean => path.replace(/^.*[\\/]/, "") === named;
  const main = input.sources.find(isNamed) ?? program.workflows[0]?.span.source;
  const sources = input.sources.toSorted((a, b) => Number(b === main) - Number(a === main));
  const { configurationOf, read } = input;
  const scenarios = file.scenarios.map((each) => ({ ...each, options: mergeOptions(each.options, input.options) }));
  return openScenarios({ ...file, language: undefined, scenarios }, { sources, configurationOf, read }, languages);
}

/** Reads the scenario files next to the definitions and in their projects that run one of the definitions. */
async function readOwnScenarios(
  sides: readonly DiffInput[],
  config: string | undefined,
  terminal: Terminal,
  registry: Registry,
): Promise<readonly ScenarioFile[]> {
  const definitions = sides.flatMap(({ input }) => input.sources.map(({ path }) => path));
  const absolute = (path: string) => resolve(terminal.cwd, path);
  const known = new Set(definitions.map(absolute));
  const own: ScenarioFile[] = [];
  for (const source of await scenarioFiles(definitions, { config }, terminal, registry)) {
    const file = readScenarioFile(source, knownTo(registry), () => undefined);
    if (!file) terminal.err(skippedScenarios(source));
    else if (known.has(absolute(beside(file.path, file.workflow)))) own.push(file);
  }
  if (own.length === 0)
    throw usageError("There are no scenarios for these definitions. Name their files with --scenarios.");
  return own;
}

/** What they expect may be omitted: it is not compared. */
const knownTo = ({ languages, targets }: Registry) => ({ languages, targets: namesOf(targets), isRecording: true });

/** Reads scenario files; prints their errors. */
async function readGivenScenarios(
  paths: readonly string[],
  terminal: Terminal,
  registry: Registry,
): Promise<readonly ScenarioFile[] | undefined> {
  if (paths.length === 0) return [];
  const diagnostics: Diagnostic[] = [];
  const report: Report = (diagnostic) => diagnostics.push(diagnostic);
  const includes = () => Promise.resolve(true);
  const filter = { noun: "scenario file", recognizes: recognisesScenario, hints: [], includes };
  const { sources } = await readSources(paths, filter, terminal, report);
  const files = sources.flatMap((source) => readScenarioFile(source, knownTo(registry), report) ?? []);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return files;
  terminal.err(renderText(errors, { color: terminal.color }));
  return undefined;
}
