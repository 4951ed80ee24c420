import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isObject } from "../json.ts";
import type { OutputFile } from "../target.ts";
import { reasonOf } from "./read.ts";

/**
 * Makes a folder hold exactly these files, of those that are Waybill's: writes the ones that differ, and removes the ones that it wrote
 * last time and that are no longer made. Files of others are never touched: where one is in the way, an `OutputFailure` says so and
 * nothing is written at all.
 */
export function writeFiles(folder: string, files: readonly OutputFile[]): void {
  requireFolder(folder);
  const before = readManifest(folder);
  const changed = files.filter((file) => needsWriting(folder, file, before));
  const after = files.map(({ path }) => path);
  const stale = staleAmong(folder, before, after);
  replaceFiles(folder, { before, after, changed, stale });
}

/** A file that is not as it would be written. `stale`: Waybill wrote it and would now remove it. */
export interface Outdated {
  readonly path: string;
  readonly fault: "missing" | "changed" | "stale";
}

/** What `writeFiles` would change. */
export function outdatedFiles(folder: string, files: readonly OutputFile[]): readonly Outdated[] {
  requireFolder(folder);
  const before = readManifest(folder);
  const differing = files.flatMap(({ path, text }): readonly Outdated[] => {
    const place = placeOf(folder, path);
    if (place === "nothing") return [{ path, fault: "missing" }];
    return place === "file" && holds(folder, path, text) ? [] : [{ path, fault: "changed" }];
  });
  const after = files.map(({ path }) => path);
  return [...differing, ...staleAmong(folder, before, after).map((path): Outdated => ({ path, fault: "stale" }))];
}

function needsWriting(folder: string, { path, text }: OutputFile, before: readonly string[]): boolean {
  const place = placeOf(folder, path);
  if (place === "nothing") return true;
  if (place !== "file") throw new OutputFailure(path, obstacles[place]);
  if (holds(folder, path, text)) return false;
  if (before.some((known) => isSameFile(folder, known, path))) return true;
  throw new OutputFailure(path, "was not written by Waybill; remove it, or choose another folder");
}

const obstacles: { readonly [place in Exclude<Place, "file" | "nothing">]: string } = {
  folder: "is a folder, where a file is to be written; remove it, or choose another folder",
  link: "is, or is reached through, a link; Waybill does not write through links",
  other: "is in the way of a file to be written; remove it, or choose another folder",
};

function staleAmong(folder: string, before: readonly string[], after: readonly string[]): readonly string[] {
  const kept = new Set(after);
  const folded = new Set(after.map((path) => path.toLowerCase()));
  const isKept = (path: string) =>
    kept.has(path) || (folded.has(path.toLowerCase()) && after.some((other) => isSameFile(folder, path, other)));
  return before.filter((path) => !isKept(path) && placeOf(folder, path) === "file");
}

/** The file in an output folder that lists the files that Waybill has written there: only those does it ever replace or remove. */
export const manifestName = ".waybill.json";

const format = 1;

/** The files that were written last, as paths relative to the folder; none where nothing was. */
export function readManifest(folder: string): readonly string[] {
  const place = placeOf(folder, manifestName);
  if (place === "nothing") return [];
  if (place !== "file") throw notUnderstood();
  const text = attempt(manifestName, "read", () => readFileSync(join(folder, manifestName), "utf8"));
  const files = filesIn(text);
  if (!files) throw notUnderstood();
  return files;
}

/** The text of a manifest. The order of the paths has no meaning and is always the same. */
export function manifestText(paths: readonly string[]): string {
  return `${JSON.stringify({ format, files: [...paths].sort() }, null, 2)}\n`;
}

function filesIn(text: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || value["format"] !== format || !Array.isArray(value["files"])) return undefined;
    return value["files"].every(isSafe) ? value["files"] : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a path stays in the folder, whatever the system. */
function isSafe(path: unknown): path is string {
  if (typeof path !== "string" || path === manifestName || /[\\:\0]/.test(path)) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

function notUnderstood(): OutputFailure {
  return new OutputFailure(
    manifestName,
    "is not a list of files that this version of Waybill understands; remove it, or choose another folder",
  );
}

/** What stands at a path in the output folder: a plain file, nothing, or something that Waybill never makes. */
export type Place = "file" | "nothing" | "link" | "folder" | "other";

/** Looks at a path in the output folder without following links. A folder on the way that is a link counts as a link. */
export function placeOf(folder: string, path: string): Place {
  const parts = path.split("/");
  for (let i = 1; i < parts.length; i += 1) {
    const parent = kindOf(folder, parts.slice(0, i).join("/"));
    if (parent !== "folder") return parent === "nothing" ? "nothing" : parent === "link" ? "link" : "other";
  }
  return kindOf(folder, path);
}

function kindOf(folder: string, path: string): Place {
  const found = attempt(path, "read", () => lstatSync(join(folder, path), { throwIfNoEntry: false }));
  if (!found) return "nothing";
  if (found.isSymbolicLink()) return "link";
  if (found.isDirectory()) return "folder";
  return found.isFile() ? "file" : "other";
}

/** Whether a file that stands in the output folder holds exactly this text. */
export function holds(folder: string, path: string, text: string): boolean {
  const bytes = Buffer.from(text);
  return attempt(path, "read", () => {
    const place = join(folder, path);
    return statSync(place).size === bytes.length && readFileSync(place).equals(bytes);
  });
}

/** Whether two paths lead to the same file, as paths that differ in case do on some file systems. */
export function isSameFile(folder: string, a: string, b: string): boolean {
  if (a === b) return true;
  if (a.toLowerCase() !== b.toLowerCase()) return false;
  const [one, other] = [a, b].map((path) => lstatSync(join(folder, path), { throwIfNoEntry: false, bigint: true }));
  return one !== undefined && other !== undefined && one.dev === other.dev && one.ino === other.ino;
}

/** Fails unless the output folder is a folder, or is not there yet. */
export function requireFolder(folder: string): void {
  const found = attempt("", "read", () => statSync(folder, { throwIfNoEntry: false }));
  if (found && !found.isDirectory()) throw new OutputFailure("", "is no folder");
}

/** What is to change in an output folder. All paths are relative to it. */
export interface Change {
  /** The files that the manifest lists now. */
  readonly before: readonly string[];
  /** The files that it is to list. */
  readonly after: readonly string[];
  readonly changed: readonly OutputFile[];
  readonly stale: readonly string[];
}

/**
 * Writes all new texts to a temporary folder first, so that a full disk changes nothing, then renames each to its place. While that goes
 * on the manifest lists old and new files, so that a run that is cut off leaves none that Waybill would take for another's.
 */
export function replaceFiles(folder: string, { before, after, changed, stale }: Change): void {
  const both = [...new Set([...before, ...after])];
  const isListed = after.length === before.length && both.length === before.length;
  const first = isListed ? [] : [{ path: manifestName, text: manifestText(both) }];
  const last = isListed ? [] : [{ path: manifestName, text: manifestText(after) }];
  if (changed.length + last.length === 0) return;
  attempt("", "written", () => makeFolder(resolve(folder)));
  const temporary = attempt("", "written", () => mkdtempSync(join(folder, ".waybill-")));
  try {
    const written = [...first, ...changed, ...last].map((file, i) => prepare(folder, join(temporary, `${i}`), file));
    const end = written.length - last.length;
    for (const { from, path } of written.slice(0, end)) move(folder, from, path);
    for (const path of stale) remove(folder, path);
    for (const { from, path } of written.slice(end)) move(folder, from, path);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/**
 * Makes a folder and those above it, also while another process makes them. Not by Node's `recursive`, which never returns where a folder
 * that is there takes no others, as in `/proc`.
 */
function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!isFolder(folder)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

function prepare(
  folder: string,
  from: string,
  { path, text }: OutputFile,
): { readonly from: string; readonly path: string } {
  attempt(path, "written", () => {
    makeFolder(dirname(resolve(folder, path)));
    writeFileSync(from, text);
  });
  return { from, path };
}

function move(folder: string, from: string, path: string): void {
  attempt(path, "written", () => renameSync(from, join(folder, path)));
}

/** Removes a file, and the folders that it leaves empty. */
function remove(folder: string, path: string): void {
  attempt(path, "removed", () => rmSync(join(folder, path), { force: true }));
  for (let parent = dirname(path); parent !== "."; parent = dirname(parent)) {
    try {
      rmdirSync(join(folder, parent));
    } catch {
      return;
    }
  }
}

/** Files could not be written or compared. The message continues a sentence that begins with the path: "is no folder". */
export class OutputFailure extends Error {
  /** Relative to the output folder; empty for the folder itself. */
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

/** Does something with a file. What the system refuses becomes an `OutputFailure` that names the file. */
export function attempt<T>(path: string, verb: "read" | "written" | "removed", act: () => T): T {
  try {
    return act();
  } catch (error) {
    const reason = reasonOf(error);
    throw reason === undefined ? error : new OutputFailure(path, `cannot be ${verb}: ${reason}`);
  }
}
