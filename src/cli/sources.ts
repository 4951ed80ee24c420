import { existsSync, globSync, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { type Configuration, configurationName, noConfiguration, readConfiguration } from "../configuration/index.ts";
import { unreadConfiguration } from "../diagnostics/configuration.ts";
import { passedOver } from "../diagnostics/reading.ts";
import { type Document, readDocuments } from "../document/index.ts";
import type { Json } from "../json.ts";
import { recognise } from "../languages/recognise.ts";
import { reasonOf } from "../system.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import { readSource } from "./read.ts";
import type { Registry } from "./registry.ts";
import { failure, type Terminal, usage } from "./terminal.ts";

/** What to look for in folders, and how large a text may be. */
export interface Wanted {
  /** What is looked for, for people: "workflow definition". */
  readonly noun: string;
  /** Whether a document of a file in a folder is one of them. */
  readonly recognises: (value: Json) => boolean;
  /** What to say of one that is not, if it may have been meant as one. */
  readonly doubt?: (document: Document) => Diagnostic | undefined;
  readonly maximumBytes?: number | undefined;
}

/** Definitions in any language, or in the one that `--from` insists on. */
export function definitionsIn(from: string | undefined, { languages }: Registry, maximumBytes?: number): Wanted {
  const asked = languages.filter(({ name }) => from === undefined || name === from);
  const doubt = ({ value, start }: Document) => {
    const found = recognise(value, asked);
    if (found.kind !== "doubtful" && found.kind !== "foreign") return undefined;
    const dialect = found.kind === "foreign" ? found.dialect : undefined;
    return found.language && passedOver(start, { language: found.language.name, dialect });
  };
  return {
    noun: "workflow definition",
    recognises: (value) => ["known", "ambiguous"].includes(recognise(value, asked).kind),
    doubt,
    maximumBytes,
  };
}

/**
 * Reads the texts that arguments name. Of the files in a folder those that are wanted, and those that are neither empty nor readable as
 * data, so that a broken one is told of; all others are passed over, of which the doubtful ones are reported.
 */
export async function readSources(
  paths: readonly string[],
  wanted: Wanted,
  terminal: Terminal,
  report?: Report,
): Promise<readonly Source[]> {
  const sources: Source[] = [];
  const doubts: Diagnostic[] = [];
  for (const { path, inFolder } of findFiles(paths, terminal.cwd)) {
    if (inFolder && basename(path) === configurationName) continue;
    const source = await readSource(path, terminal, wanted.maximumBytes);
    if (!inFolder || isWanted(source, wanted, (doubt) => doubts.push(doubt))) sources.push(source);
  }
  if (sources.length === 0) throw failure(`There is no ${wanted.noun} in ${quoted(paths)}${resembling(doubts)}.`);
  for (const doubt of doubts) report?.(doubt);
  return sources;
}

const quoted = (paths: readonly string[]): string => paths.map((path) => `\`${path}\``).join(", ");

function resembling(doubts: readonly Diagnostic[]): string {
  if (doubts.length === 0) return "";
  const paths = doubts.map(({ span }) => span.source.path);
  const [verb, which] = paths.length === 1 ? ["comes", "it"] : ["come", "each"];
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : "";
  return `; ${quoted(paths.slice(0, 3))}${more} ${verb} near to one: name ${which} by itself to see what is missing`;
}

function isWanted(source: Source, { recognises, doubt, maximumBytes }: Wanted, report: Report): boolean {
  if (source.text.trim() === "") return false;
  let broken = false;
  const watch: Report = ({ severity }) => {
    broken ||= severity === "error";
  };
  const documents = readDocuments(source, watch, { maximumBytes });
  if (broken || documents.some(({ value }) => recognises(value))) return true;
  const doubtful = documents.map((document) => doubt?.(document)).find((found) => found !== undefined);
  if (doubtful) report(doubtful);
  return false;
}

/**
 * The configuration that is nearest to the first of some files: in its folder or in one above it. Those of the other files that are others, and what is
 * only nearly called so, are reported: nobody reads them.
 */
export async function configurationFor(
  sources: readonly Source[],
  { languages, targets }: Registry,
  terminal: Terminal,
  report: Report,
): Promise<Configuration> {
  const [own, ...others] = [...new Set(sources.map(({ path }) => folderOf(path, terminal)))].map(configurationFrom);
  const told = new Set<string>();
  const tell = async (file: string | undefined, read: string | undefined): Promise<void> => {
    if (file === undefined || file === own!.file || told.has(file)) return;
    told.add(file);
    const source = await readSource(shownPath(file, terminal.cwd), terminal);
    report(unreadConfiguration({ source, start: 0, end: 1 }, { read, name: configurationName }));
  };
  for (const { misnamed } of [own!, ...others]) await tell(misnamed, undefined);
  for (const { file } of others) await tell(file, own!.file && shownPath(own!.file, terminal.cwd));
  if (own!.file === undefined) return noConfiguration;
  const source = await readSource(shownPath(own!.file, terminal.cwd), terminal);
  return readConfiguration(source, languages, targets, report);
}

const folderOf = (path: string, { cwd }: Terminal): string => (path === "<stdin>" ? cwd : dirname(resolve(cwd, path)));

/** The configuration in a folder or in the nearest above it, and what is only nearly called so on the way. */
function configurationFrom(folder: string): { readonly file?: string; readonly misnamed?: string } {
  const file = resolve(folder, configurationName);
  if (existsSync(file)) return { file };
  const misnamed = nearlyConfigurations.map((name) => resolve(folder, name)).find((path) => existsSync(path));
  const parent = dirname(folder);
  return { ...(parent === folder ? {} : configurationFrom(parent)), ...(misnamed === undefined ? {} : { misnamed }) };
}

const nearlyConfigurations = ["waybill.config.yml", "waybill.config.json"];

/** Relative to the current folder where it is in it. */
function shownPath(file: string, cwd: string): string {
  const inside = `${cwd.replace(/[\\/]$/, "")}/`;
  return file.startsWith(inside) ? file.slice(inside.length) : file;
}

/** A file that arguments name. */
export interface FoundFile {
  /** As shown to people: as the user gave it, with what was found below it. `-` is standard input. */
  readonly path: string;
  /** Whether it was found in a folder that was named, where there may be files of all kinds. */
  readonly inFolder: boolean;
}

/**
 * The files that arguments name: files themselves, all YAML and JSON files in folders and the folders in them (by name; not in those
 * called `node_modules` or with a dot in front, nor in folders behind links), and what patterns such as `flows/*.yaml` match. Each file
 * once, also where a folder has a link to it.
 */
export function findFiles(paths: readonly string[], cwd: string): readonly FoundFile[] {
  const found = new Map<string, FoundFile>();
  for (const file of paths.flatMap((path) => filesOf(path, cwd))) {
    const place = file.path === "-" ? "-" : placeOf(resolve(cwd, file.path));
    if (!found.has(place)) found.set(place, file);
  }
  return [...found.values()];
}

/** The same for all ways to a file; for what is not there its path. */
function placeOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function filesOf(path: string, cwd: string): readonly FoundFile[] {
  if (path === "") throw usage("One of the paths is empty.");
  if (path === "-") return [{ path, inFolder: false }];
  const kind = kindOf(resolve(cwd, path), path);
  if (kind === "folder") return filesIn(path, cwd);
  if (kind === "file" || !/[*?[{]/.test(path)) return [{ path, inFolder: false }];
  const matches = globSync(path, { cwd }).sort();
  if (matches.length === 0) throw failure(`No file matches \`${path}\`.`);
  return matches.flatMap((match) => filesOf(match.replaceAll("\\", "/"), cwd));
}

function kindOf(place: string, path: string): "folder" | "file" | undefined {
  try {
    return statSync(place).isDirectory() ? "folder" : "file";
  } catch (error) {
    if (/[*?[{]/.test(path)) return undefined;
    throw unreadable(path, error);
  }
}

function filesIn(folder: string, cwd: string): readonly FoundFile[] {
  const base = folder.replace(/[\\/]+$/, "");
  const entries = entriesOf(folder, cwd).map((name) =>
    base === "" ? `/${name}` : base === "." ? name : `${base}/${name}`,
  );
  return entries.flatMap((path) => {
    const entry = lstatSync(resolve(cwd, path), { throwIfNoEntry: false });
    if (entry?.isDirectory()) return filesIn(path, cwd);
    return /\.(ya?ml|json)$/i.test(path) && (entry?.isFile() || (entry?.isSymbolicLink() && leadsToFile(path, cwd)))
      ? [{ path, inFolder: true }]
      : [];
  });
}

function leadsToFile(path: string, cwd: string): boolean {
  try {
    return statSync(resolve(cwd, path)).isFile();
  } catch (error) {
    throw unreadable(path, error);
  }
}

function entriesOf(folder: string, cwd: string): readonly string[] {
  try {
    return readdirSync(resolve(cwd, folder))
      .filter((name) => !name.startsWith(".") && name !== "node_modules")
      .sort();
  } catch (error) {
    throw unreadable(folder, error);
  }
}

function unreadable(path: string, error: unknown): unknown {
  const reason = reasonOf(error);
  return reason === undefined ? error : failure(`\`${path}\` cannot be read: ${reason}.`);
}
