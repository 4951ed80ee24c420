import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  type Configuration,
  type ConfigurationOf,
  configurationNames,
  noConfiguration,
  readConfiguration,
} from "../configuration/index.ts";
import { duplicateConfiguration } from "../diagnostics/configuration.ts";
import { unreadableFile } from "../diagnostics/reading.ts";
import type { Report } from "../text/diagnostics.ts";
import { parsePatterns } from "../text/patterns.ts";
import type { Source } from "../text/source.ts";
import { isMatched } from "./ignored.ts";
import { tryReading } from "./read.ts";
import type { Registry } from "./registry.ts";
import type { Terminal } from "./terminal.ts";

/** The configurations on the disk, each read once it is asked for. */
export interface Configurations {
  /** The configuration of a file, by its whole path: the nearest in its folder and those above it. Undefined where there is none. */
  at(file: string): Promise<Configuration | undefined>;
  /** Those of texts that were read; `change` is made to each of them, also to one that sets nothing. */
  of(sources: readonly Source[], change?: (configuration: Configuration) => Configuration): Promise<ConfigurationOf>;
  /** Whether patterns take a file that stands in a folder: those of its configuration, which start from that one's folder, and those given here. */
  takes(file: string, given: Taken, parts?: readonly (keyof Taken)[]): Promise<boolean>;
  /** The files that were read. */
  sources(): readonly Source[];
}

/** Patterns, as in a `.gitignore`, of files to take and to leave out. */
export type Taken = Pick<Configuration, "include" | "exclude">;

/** Gets ready to read configurations; `file`: the one for all definitions. What is wrong with them is reported, and they set less. */
export function openConfigurations(
  file: string | undefined,
  registry: Registry,
  terminal: Terminal,
  report: Report,
): Configurations {
  const byFolder = new Map<string, Promise<Configuration | undefined>>();
  const reading: Reading = { registry, terminal, report, sources: [] };
  const find = async (folder: string): Promise<Configuration | undefined> => {
    const place = placeIn(folder, reading);
    if (place !== undefined) return readAt(shownPath(place, terminal.cwd), reading);
    return dirname(folder) === folder ? undefined : inFolder(dirname(folder));
  };
  const once = (key: string, make: () => Promise<Configuration | undefined>): Promise<Configuration | undefined> => {
    const found = byFolder.get(key) ?? make();
    byFolder.set(key, found);
    return found;
  };
  const inFolder = (folder: string) =>
    file === undefined ? once(folder, () => find(folder)) : once("", () => readAt(file, reading));
  const at = (path: string) => inFolder(dirname(path));
  return {
    at,
    sources: () => reading.sources,
    of: (texts, change) => configurationsOf(texts, at, terminal.cwd, change),
    async takes(path, given, parts = ["include", "exclude"]) {
      return isTaken(path, given, await at(path), terminal.cwd, parts);
    },
  };
}

/** How configurations are read, and those that were; grows. */
interface Reading {
  readonly registry: Registry;
  readonly terminal: Terminal;
  readonly report: Report;
  readonly sources: Source[];
}

/** The configuration in a folder; of two the first counts, which is told. */
function placeIn(folder: string, { terminal, report }: Reading): string | undefined {
  const [first, second] = configurationNames.filter((name) => existsSync(join(folder, name)));
  if (second !== undefined) {
    const source = { path: shownPath(join(folder, second), terminal.cwd), text: "" };
    report(duplicateConfiguration({ source, start: 0, end: 0 }, { first: first! }));
  }
  return first === undefined ? undefined : join(folder, first);
}

async function readAt(path: string, { registry, terminal, report, sources }: Reading): Promise<Configuration> {
  const source = await tryReading(path, terminal);
  if ("reason" in source) {
    const start = { source: { path, text: "" }, start: 0, end: 0 };
    report(unreadableFile(source.at ?? start, { reason: source.reason, hint: source.hint }));
    return noConfiguration;
  }
  sources.push(source);
  return readConfiguration(source, registry.languages, registry.targets, report);
}

/** The configurations of texts, each changed once. */
async function configurationsOf(
  texts: readonly Source[],
  at: Configurations["at"],
  cwd: string,
  change = (configuration: Configuration): Configuration => configuration,
): Promise<ConfigurationOf> {
  const changed = new Map<Configuration, Configuration>();
  const bySource = new Map<Source, Configuration>();
  for (const source of texts) {
    const place = source.path === "<stdin>" ? join(cwd, "-") : resolve(cwd, source.path);
    const found = (await at(place)) ?? noConfiguration;
    if (!changed.has(found)) changed.set(found, change(found));
    bySource.set(source, changed.get(found)!);
  }
  return (source) => bySource.get(source);
}

/** Whether a file is taken by the patterns given in the current folder, and by those of its configuration, which start from that one's folder. */
function isTaken(
  path: string,
  given: Taken,
  own: Configuration | undefined,
  cwd: string,
  parts: readonly (keyof Taken)[],
): boolean {
  const folder = own?.source ? dirname(resolve(cwd, own.source.path)) : cwd;
  return [[cwd, given] as const, [folder, own ?? {}] as const].every(([from, { include, exclude }]) => {
    const matched = (patterns: readonly string[]) =>
      isMatched(path, { folder: from, patterns: parsePatterns(patterns) });
    if (parts.includes("exclude") && exclude && matched(exclude)) return false;
    return !parts.includes("include") || !include || matched(include);
  });
}

/** Relative to the current folder where it is in it. */
function shownPath(file: string, cwd: string): string {
  const inside = `${cwd.replace(/[\\/]$/, "")}/`;
  return file.startsWith(inside) ? file.slice(inside.length) : file;
}
