import { lstatSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { attempt, OutputFailure } from "./failure.ts";

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
