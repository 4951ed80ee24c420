import { hash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { renderText, visible } from "../diagnostics/renderers/text.ts";
import { readDocuments } from "../documents/index.ts";
import { describeErrno } from "../errno.ts";
import { equalJson, isObject, type Json, own } from "../json.ts";
import { runnersNamed } from "../scenario/files.ts";
import { renderResults } from "../scenario/report/results.ts";
import { onReference, openScenarios, type Result, type Runner } from "../scenario/run.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import type { ConfigurationLoader } from "./configurations.ts";
import type { Registry } from "./registry.ts";
import { readScenarioSources, type ScenarioSources } from "./scenario-sources.ts";
import { prepareScenarios } from "./scenarios.ts";
import { untilSignal } from "./signals.ts";
import { CommandError, type ExitStatus, exit, outputColor, type Terminal, usageError } from "./terminal.ts";
import type { TestFlags } from "./test.ts";
import { matchesFilters, type TestOptions } from "./test-run.ts";
import { changesIn, type WatchedFolders } from "./watch.ts";

/** What a scenario file depended on when it ran. */
interface WatchedFile {
  readonly source: Source;
  /** Digests by absolute path; undefined for what cannot be read. */
  readonly dependencies: ReadonlyMap<string, string | undefined>;
  readonly results: readonly Result[];
}

/** Runs `waybill test --watch`: all scenarios, then those that a change reaches, until a signal. */
export async function testAndWatch(
  paths: readonly string[],
  flags: TestFlags,
  options: TestOptions,
  terminal: Terminal,
  registry: Registry,
): Promise<ExitStatus> {
  if (paths.includes("-")) throw usageError("--watch cannot watch standard input.");
  const watcher = await watchScenarios(paths, flags, options, terminal, registry);
  try {
    await untilSignal(async (signal) => {
      let isFirst = true;
      for await (const _ of changesIn(watcher.folders, signal)) {
        await watcher.update();
        if (isFirst) terminal.err("Watching for changes. Press Ctrl-C to stop.\n");
        isFirst = false;
      }
    });
  } finally {
    watcher.close();
  }
  return exit.success;
}

/** Scenarios that run again when a change reaches them. */
export interface ScenarioWatcher {
  /** What their results depend on. */
  folders(): WatchedFolders;
  /** Runs the scenarios that a change reached since the last call, at first all, and prints their results. */
  update(): Promise<void>;
  close(): void;
}

/** Finds the scenarios of projects, to run on the reference after changes. Without paths, of those of the current folder. */
export async function watchProjectScenarios(
  paths: readonly string[],
  flags: Pick<TestFlags, "color">,
  terminal: Terminal,
  registry: Registry,
): Promise<ScenarioWatcher> {
  const options = { on: onReference.name, isMeasured: false, isStrict: false, filters: [], bails: false, jobs: 1 };
  const own = paths.length === 0 ? [flags] : paths.map((config) => ({ ...flags, config }));
  const watchers = await Promise.all(own.map((each) => watchScenarios([], each, options, terminal, registry)));
  return {
    folders: () => ({ folders: [], files: watchers.flatMap((each) => each.folders().files ?? []), ignored: [] }),
    async update() {
      for (const each of watchers) await each.update();
    },
    close() {
      for (const each of watchers) each.close();
    },
  };
}

/** Finds scenarios to run after changes. */
export async function watchScenarios(
  paths: readonly string[],
  flags: Pick<TestFlags, "config" | "color">,
  options: TestOptions,
  terminal: Terminal,
  registry: Registry,
): Promise<ScenarioWatcher> {
  const runners = await runnersNamed(options.on, registry.targets);
  let known: ReadonlyMap<string, WatchedFile> = new Map();
  let groups: readonly ScenarioSources[] = [];
  const given = (paths.length === 0 ? ["."] : paths).map((path) => resolve(terminal.cwd, path));
  const folders = (): WatchedFolders => ({
    folders: [...groups.flatMap(({ project }) => project?.folder ?? []), ...given.filter(isFolder)],
    files: [...given, ...[...known.values()].flatMap(({ dependencies }) => [...dependencies.keys()])],
    ignored: groups.flatMap(({ project }) =>
      project ? project.project.outputs.map(({ out }) => resolve(project.folder, out)) : [],
    ),
  });
  const runAll = async (): Promise<void> => {
    const diagnostics: Diagnostic[] = [];
    groups = await readScenarioSources(paths, flags.config, terminal, registry, (each) => diagnostics.push(each));
    const after = new Map<string, WatchedFile>();
    const results: Result[] = [];
    let skipped = 0;
    for (const { sources, configurations } of groups) {
      for (const source of sources) {
        const before = known.get(source.path);
        if (before && !isReached(before)) {
          after.set(source.path, before);
          skipped += before.results.length;
          continue;
        }
        const ran = await runReached(source, before, configurations, options, runners, terminal, registry, diagnostics);
        after.set(source.path, ran.file);
        results.push(...ran.results);
        skipped += ran.file.results.length - ran.results.length;
      }
    }
    known = after;
    if (diagnostics.length > 0) terminal.err(renderText(diagnostics, { color: flags.color ?? terminal.color }));
    const color = outputColor(flags.color, terminal);
    if (results.length > 0) terminal.out(renderResults(results, { color, unchanged: skipped }));
  };
  return {
    folders,
    async update() {
      try {
        await runAll();
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        terminal.err(`${visible(error.message)}\n`);
      }
    },
    close() {
      for (const { executor } of runners) executor?.close();
    },
  };
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const isReached = ({ dependencies }: WatchedFile): boolean =>
  [...dependencies].some(([path, digest]) => digestOf(path) !== digest);

/** Runs the scenarios of a file that a change reaches: all, or those that differ if only the file has changed. */
async function runReached(
  source: Source,
  before: WatchedFile | undefined,
  configurations: ConfigurationLoader,
  { filters, isStrict, pick }: TestOptions,
  runners: readonly Runner[],
  terminal: Terminal,
  registry: Registry,
  diagnostics: Diagnostic[],
): Promise<{ readonly file: WatchedFile; readonly results: readonly Result[] }> {
  const place = resolve(terminal.cwd, source.path);
  const dependencies = new Map([[place, digestOf(place)]]);
  const track = (path: string) =>
    void dependencies.set(resolve(terminal.cwd, path), digestOf(resolve(terminal.cwd, path)));
  const prepared = await prepareScenarios(
    source,
    configurations,
    terminal,
    registry,
    (each) => diagnostics.push(each),
    { onRead: track, pick },
  );
  for (const { path } of configurations.sources()) track(path);
  if (!prepared) return { file: { source, dependencies, results: [] }, results: [] };
  const isOnlyFile =
    before && ![...before.dependencies].some(([path, old]) => path !== place && digestOf(path) !== old);
  const same = isOnlyFile && before.results.length > 0 ? sameScenarios(before.source, source) : new Set<string>();
  const wanted = prepared.file.scenarios.filter((scenario) => matchesFilters(scenario, filters));
  const names = new Set(wanted.map(({ name }) => name));
  const scenarios = wanted.filter(({ name }) => !same.has(name));
  const kept = (before?.results ?? []).filter(({ scenario }) => same.has(scenario) && names.has(scenario));
  const session = openScenarios({ ...prepared.file, scenarios }, prepared, registry.languages, { isStrict });
  const results: Result[] = [];
  try {
    for (const runner of scenarios.length === 0 ? [] : runners) results.push(...(await session.run(runner)));
  } finally {
    await session.close();
  }
  return { file: { source, dependencies, results: [...kept, ...results] }, results };
}

/** The names of the scenarios that are the same in two versions of a file; none if the rest of the file differs. */
function sameScenarios(before: Source, after: Source): ReadonlySet<string> {
  const [old, now] = [before, after].map((source) => readDocuments(source, () => undefined)[0]?.value);
  if (!isObject(old) || !isObject(now)) return new Set();
  const { scenarios: one, ...head } = old as { readonly [name: string]: Json };
  const { scenarios: other, ...rest } = now as { readonly [name: string]: Json };
  if (!Array.isArray(one) || !Array.isArray(other) || !equalJson(head, rest)) return new Set();
  const known = new Map((one as readonly Json[]).map((scenario) => [nameOf(scenario), scenario]));
  return new Set(
    (other as readonly Json[]).flatMap((scenario) => {
      const name = nameOf(scenario);
      const earlier = known.get(name);
      return name !== undefined && earlier !== undefined && equalJson(earlier, scenario) ? [name] : [];
    }),
  );
}

function nameOf(scenario: Json): string | undefined {
  const name = isObject(scenario) ? own(scenario, "name") : undefined;
  return typeof name === "string" ? name : undefined;
}

function digestOf(path: string): string | undefined {
  try {
    return hash("sha256", readFileSync(path), "hex");
  } catch (error) {
    if (describeErrno(error) === undefined) throw error;
    return undefined;
  }
}
