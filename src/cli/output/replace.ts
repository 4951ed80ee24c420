import { mkdirSync, mkdtempSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { OutputFile } from "../../target.ts";
import { attempt } from "./failure.ts";
import { manifestName, manifestText } from "./manifest.ts";

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
