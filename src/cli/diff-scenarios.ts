import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { renderText } from "../diagnostics/renderers/text.ts";
import { diffScenario, type ObservedScenario, type ScenarioDiff } from "../diff/outcomes.ts";
import { stepsOf } from "../ir/walk.ts";
import type { Program } from "../ir/workflow.ts";
import { mergeOptions } from "../languages/options.ts";
import type { Options } from "../options.ts";
import { isBrokenOff } from "../scenario/compare.ts";
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
  const renamed = renamedWorkflows(old.program, created.program);
  for (const file of files) {
    const sessions = [openSide(file, old, registry), openSide(file, created, registry, renamed)];
    try {
      const [before, after] = await Promise.all(sessions.map((session) => session.observations()));
      for (const [i, { scenario, seen }] of before!.entries())
        diffs.push(diffScenario(file.path, scenario, seen, withOldNames(after![i]!.seen, renamed)));
    } finally {
      for (const session of sessions) await session.close();
    }
  }
  return diffs;
}

/**
 * Workflows that the new program starts but does not contain, with a namespace that they have not in the old program: their
 * old names.
 */
function renamedWorkflows(old: Program, created: Program): ReadonlyMap<string, string> {
  const before = externalWorkflows(old);
  const after = externalWorkflows(created);
  const shortOf = (name: string): string => name.slice(name.lastIndexOf(".") + 1);
  const isRenamed = (name: string): boolean =>
    !before.has(name) && before.has(shortOf(name)) && !after.has(shortOf(name));
  return new Map([...after].filter(isRenamed).map((name) => [name, shortOf(name)]));
}

const externalWorkflows = ({ workflows, byId }: Program): ReadonlySet<string> =>
  new Set(
    workflows
      .flatMap((workflow) => stepsOf(workflow))
      .flatMap((step) => (step.kind === "invoke" && !byId.has(step.workflow.name) ? [step.workflow.name] : [])),
  );

function withOldNames(seen: ObservedScenario, renamed: ReadonlyMap<string, string>): ObservedScenario {
  if (!seen || isBrokenOff(seen) || renamed.size === 0) return seen;
  return seen.map((run) => ({
    ...run,
    calls: run.calls.map((call) => ({ ...call, function: renamed.get(call.function) ?? call.function })),
  }));
}

/**
 * Opens the scenarios of a file for the definitions of a side instead of those that the file names. Renamed workflows
 * have the results that the scenarios give under their old names.
 */
export function openSide(
  file: ScenarioFile,
  { input, program }: DiffSide,
  { languages }: Registry,
  renamed: ReadonlyMap<string, string> = new Map(),
): Session {
  const named = beside(file.path, file.workflow).replace(/^.*\//, "");
  const isNamed = ({ path }: Source): boolean => path.replace(/^.*[\\/]/, "") === named;
  const main = input.sources.find(isNamed) ?? program.workflows[0]?.span.source;
  const sources = input.sources.toSorted((a, b) => Number(b === main) - Number(a === main));
  const { configurationOf, read } = input;
  const scenarios = file.scenarios.map((each) => {
    const functions = new Map(each.functions);
    for (const [name, oldName] of renamed) {
      const results = each.functions.get(oldName);
      if (results && !functions.has(name)) functions.set(name, results);
    }
    return { ...each, functions, options: mergeOptions(each.options, input.options) };
  });
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
