import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { OutputFile } from "../../targets/target.ts";
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
 * Writes all new texts to temporary files first, so that a full disk changes nothing, then renames each to its place. While that goes
 * on the manifest lists old and new files, so that a run that is cut off leaves none that Waybill would take for another's.
 */
export function replaceFiles(folder: string, { before, after, changed, stale }: Change): void {
  const both = [...new Set([...before, ...after])];
  const isListed = after.length === before.length && both.length === before.length;
  const steps: readonly OutputFile[] = isListed
    ? changed
    : [{ path: manifestName, text: manifestText(both) }, ...changed, { path: manifestName, text: manifestText(after) }];
  if (steps.length === 0) return;
  const prepared = prepare(folder, steps);
  try {
    for (const { file, path } of prepared.slice(0, isListed ? undefined : -1)) place(folder, file, path);
    for (const path of stale) remove(folder, path);
    for (const { file, path } of isListed ? [] : prepared.slice(-1)) place(folder, file, path);
  } finally {
    for (const { file } of prepared) rmSync(file, { force: true });
  }
}

/** A text in a temporary file beside its place. */
interface Prepared {
  readonly file: string;
  readonly path: string;
}

function prepare(folder: string, files: readonly OutputFile[]): readonly Prepared[] {
  attempt("", "written", () => mkdirSync(folder, { recursive: true }));
  const prepared: Prepared[] = [];
  try {
    for (const { path, text } of files) {
      const parent = dirname(join(folder, path));
      const file = join(parent, `.waybill-${randomUUID()}.tmp`);
      attempt(path, "written", () => mkdirSync(parent, { recursive: true }));
      prepared.push({ file, path });
      attempt(path, "written", () => writeFileSync(file, text, { flag: "wx" }));
    }
    return prepared;
  } catch (error) {
    for (const { file } of prepared) rmSync(file, { force: true });
    throw error;
  }
}

function place(folder: string, file: string, path: string): void {
  attempt(path, "written", () => renameSync(file, join(folder, path)));
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
