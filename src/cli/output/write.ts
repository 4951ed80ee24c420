import type { OutputFile } from "../../target.ts";
import { OutputFailure } from "./failure.ts";
import { readManifest } from "./manifest.ts";
import { holds, isSameFile, type Place, placeOf, requireFolder } from "./place.ts";
import { replaceFiles } from "./replace.ts";

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
