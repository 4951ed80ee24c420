import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { configurationName, readConfiguration } from "../configuration.ts";
import type { Report } from "../diagnostics.ts";
import { readDocuments } from "../document.ts";
import type { Json } from "../json.ts";
import { languages } from "../languages/index.ts";
import type { OptionDefinition, Options } from "../program.ts";
import type { Source } from "../source.ts";
import { findFiles } from "./files.ts";
import { readSource } from "./read.ts";
import { failure, type Terminal } from "./terminal.ts";

/** What to look for in folders, and how large a text may be. */
export interface Wanted {
  /** What is looked for, for people: "workflow definition". */
  readonly noun: string;
  /** Whether a document of a file in a folder is one of them. */
  readonly recognises: (value: Json) => boolean;
  readonly maximumBytes?: number | undefined;
}

/** Definitions in any language, or in the one that `--from` insists on. */
export function definitionsIn(from: string | undefined, maximumBytes?: number): Wanted {
  const asked = languages.filter(({ name }) => from === undefined || name === from);
  return { noun: "workflow definition", recognises: (value) => asked.some((language) => language.recognises(value)), maximumBytes };
}

/**
 * Reads the texts that arguments name. Of the files in a folder those that are wanted, and those that are neither empty nor readable as
 * data, so that a broken one is told of; all others are passed over.
 */
export async function readSources(paths: readonly string[], wanted: Wanted, terminal: Terminal): Promise<readonly Source[]> {
  const sources: Source[] = [];
  for (const { path, inFolder } of findFiles(paths, terminal.cwd)) {
    const source = await readSource(path, terminal, wanted.maximumBytes);
    if (!inFolder || isWanted(source, wanted)) sources.push(source);
  }
  if (sources.length === 0) throw failure(`There is no ${wanted.noun} in ${paths.map((path) => `\`${path}\``).join(", ")}.`);
  return sources;
}

function isWanted(source: Source, { recognises, maximumBytes }: Wanted): boolean {
  if (source.text.trim() === "") return false;
  let broken = false;
  const watch: Report = ({ severity }) => {
    broken ||= severity === "error";
  };
  return readDocuments(source, watch, { maximumBytes }).some(({ value }) => recognises(value)) || broken;
}

/** The options of the configuration that is nearest to a file: in its folder or in one above it. */
export async function configuredOptions(
  path: string,
  definitions: readonly OptionDefinition[],
  terminal: Terminal,
  report: Report,
): Promise<Options> {
  const file = nearestConfiguration(path === "<stdin>" ? terminal.cwd : dirname(resolve(terminal.cwd, path)));
  if (file === undefined) return {};
  return readConfiguration(await readSource(shownPath(file, terminal.cwd), terminal), definitions, report).options;
}

function nearestConfiguration(folder: string): string | undefined {
  const file = resolve(folder, configurationName);
  if (existsSync(file)) return file;
  const parent = dirname(folder);
  return parent === folder ? undefined : nearestConfiguration(parent);
}

/** Relative to the current folder where it is in it. */
function shownPath(file: string, cwd: string): string {
  const inside = `${cwd.replace(/[\\/]$/, "")}/`;
  return file.startsWith(inside) ? file.slice(inside.length) : file;
}
