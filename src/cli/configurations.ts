import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { BaseReader } from "../configuration/extends.ts";
import {
  type Configuration,
  type ConfigurationOf,
  configurationNames,
  noConfiguration,
  trustsTypes,
  unsupportedConfigurationNames,
  withSignatures,
} from "../configuration/index.ts";
import { loadConfiguration } from "../configuration/load.ts";
import { duplicateConfiguration, unsupportedConfiguration } from "../diagnostics/configuration.ts";
import { unreadableFile } from "../diagnostics/reading.ts";
import type { Report } from "../text/diagnostics.ts";
import { parsePatterns } from "../text/patterns.ts";
import type { Source, Span } from "../text/source.ts";
import { matchesPatterns } from "./gitignore.ts";
import { withKnownPlugins } from "./plugins.ts";
import { tryReadSource } from "./read.ts";
import type { Registry } from "./registry.ts";
import type { Terminal } from "./terminal.ts";

/** Loads configurations from disk, each once. */
export interface ConfigurationLoader {
  /** Loads the nearest configuration at or above an absolute path. */
  load(file: string): Promise<Configuration | undefined>;
  /** Loads the configurations of sources, modified by `change`. */
  loadFor(
    sources: readonly Source[],
    change?: (configuration: Configuration) => Configuration,
  ): Promise<ConfigurationOf>;
  /** Whether a file in a folder matches the given and configured patterns. */
  includes(file: string, given: FilePatterns, parts?: readonly (keyof FilePatterns)[]): Promise<boolean>;
  sources(): readonly Source[];
}

/** Patterns as in a `.gitignore`. */
export type FilePatterns = Pick<Configuration, "include" | "exclude">;

/** Creates a loader. `file` is the configuration of all definitions, if given. */
export function createConfigurationLoader(
  file: string | undefined,
  registry: Registry,
  terminal: Terminal,
  report: Report,
): ConfigurationLoader {
  const byFolder = new Map<string, Promise<Configuration | undefined>>();
  const state: LoaderState = { registry, terminal, report, sources: [] };
  const find = async (folder: string): Promise<Configuration | undefined> => {
    const path = configurationIn(folder, state);
    if (path !== undefined) return readConfigurationAt(displayPath(path, terminal.cwd), state);
    return dirname(folder) === folder ? undefined : inFolder(dirname(folder));
  };
  const once = (key: string, make: () => Promise<Configuration | undefined>): Promise<Configuration | undefined> => {
    const found = byFolder.get(key) ?? make();
    byFolder.set(key, found);
    return found;
  };
  const inFolder = (folder: string) =>
    file === undefined ? once(folder, () => find(folder)) : once("", () => readConfigurationAt(file, state));
  const load = (path: string) => inFolder(dirname(path));
  const typedConfigurations = new Map<Configuration, Promise<Configuration>>();
  const typed = async (path: string): Promise<Configuration | undefined> => {
    const found = await load(path);
    if (!found) return undefined;
    const known = typedConfigurations.get(found) ?? readTypes(found, state);
    typedConfigurations.set(found, known);
    return known;
  };
  return {
    load,
    sources: () => state.sources,
    loadFor: (sources, change) => configurationsOf(sources, typed, terminal.cwd, change),
    async includes(path, given, parts = ["include", "exclude"]) {
      return isIncluded(path, given, await load(path), terminal.cwd, parts);
    },
  };
}

/** The files of a folder that may be intended as its configuration, but are not read. */
export const unsupportedConfigurationsIn = (folder: string): readonly string[] =>
  unsupportedConfigurationNames.filter((name) => existsSync(join(folder, name)));

interface LoaderState {
  readonly registry: Registry;
  readonly terminal: Terminal;
  readonly report: Report;
  readonly sources: Source[];
}

function configurationIn(folder: string, { terminal, report }: LoaderState): string | undefined {
  const [first, second] = configurationNames.filter((name) => existsSync(join(folder, name)));
  const startOf = (name: string): Span => {
    const source = { path: displayPath(join(folder, name), terminal.cwd), text: "" };
    return { source, start: 0, end: 0 };
  };
  if (second !== undefined) report(duplicateConfiguration(startOf(second), { first: first! }));
  for (const name of unsupportedConfigurationsIn(folder)) report(unsupportedConfiguration(startOf(name), {}));
  return first === undefined ? undefined : join(folder, first);
}

async function readConfigurationAt(
  path: string,
  { registry, terminal, report, sources }: LoaderState,
): Promise<Configuration> {
  const source = await tryReadSource(path, terminal);
  if ("reason" in source) {
    const start = { source: { path, text: "" }, start: 0, end: 0 };
    report(unreadableFile(source.at ?? start, { reason: source.reason, hint: source.hint }));
    return noConfiguration;
  }
  sources.push(source);
  let known = await withKnownPlugins(source, registry, terminal, report);
  const readBase: BaseReader = async (base) => {
    const found = await tryReadSource(base, terminal);
    if (!("text" in found)) return found;
    sources.push(found);
    known = await withKnownPlugins(found, known, terminal, report);
    return found;
  };
  return loadConfiguration(source, () => known, readBase, report);
}

/** Loads ts-morph only for configurations that trust types. */
async function readTypes(configuration: Configuration, { terminal, report }: LoaderState): Promise<Configuration> {
  if (!trustsTypes(configuration)) return configuration;
  const { createSignatureReader } = await import("../signatures/index.ts");
  return withSignatures(configuration, createSignatureReader({ cwd: terminal.cwd }), report);
}

async function configurationsOf(
  sources: readonly Source[],
  load: ConfigurationLoader["load"],
  cwd: string,
  change = (configuration: Configuration): Configuration => configuration,
): Promise<ConfigurationOf> {
  const changed = new Map<Configuration, Configuration>();
  const bySource = new Map<Source, Configuration>();
  for (const source of sources) {
    const path = source.path === "<stdin>" ? join(cwd, "-") : resolve(cwd, source.path);
    const found = (await load(path)) ?? noConfiguration;
    if (!changed.has(found)) changed.set(found, change(found));
    bySource.set(source, changed.get(found)!);
  }
  return (source) => bySource.get(source);
}

/** Configured patterns are relative to the configuration, given ones to the current folder. */
function isIncluded(
  path: string,
  given: FilePatterns,
  own: Configuration | undefined,
  cwd: string,
  parts: readonly (keyof FilePatterns)[],
): boolean {
  const folder = own?.source ? dirname(resolve(cwd, own.source.path)) : cwd;
  return [[cwd, given] as const, [folder, own ?? {}] as const].every(([from, { include, exclude }]) => {
    const matched = (patterns: readonly string[]) =>
      matchesPatterns(path, { folder: from, patterns: parsePatterns(patterns) });
    if (parts.includes("exclude") && exclude && matched(exclude)) return false;
    return !parts.includes("include") || !include || matched(include);
  });
}

function displayPath(file: string, cwd: string): string {
  const inside = `${cwd.replace(/[\\/]$/, "")}/`;
  return file.startsWith(inside) ? file.slice(inside.length) : file;
}
