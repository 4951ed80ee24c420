import { globSync, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { describeErrno } from "../errno.ts";
import { ignoresIn, ignoresOf, isIgnored, type Patterns } from "./ignored.ts";
import { failure, usage } from "./terminal.ts";

/** A file that arguments name. */
export interface FoundFile {
  /** As shown to people: as the user gave it, with what was found below it. `-` is standard input. */
  readonly path: string;
  /** Whether it was found in a folder that was named, where there may be files of all kinds. */
  readonly inFolder: boolean;
  /** Why it cannot be read, as far as that is known; a folder is told of like a file. */
  readonly reason?: string | undefined;
}

/**
 * The files that arguments name: files themselves, all YAML and JSON files in folders and the folders in them (by name; not in those
 * called `node_modules` or with a dot in front, nor in folders behind links, nor what `.gitignore` leaves out), and what patterns such as `flows/*.yaml`
 * match. Each file once, also where a folder has a link to it.
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
  const kind = kindOf(resolve(cwd, path));
  if (typeof kind === "object" && !isPattern.test(path)) return [{ path, inFolder: false, ...kind }];
  if (kind === "folder") return filesIn(path, cwd, ignoresOf(resolve(cwd, path)));
  if (kind === "file") return [{ path, inFolder: false }];
  const matches = globSync(path, { cwd }).sort();
  if (matches.length === 0) throw failure(`No file matches \`${path}\`.`);
  return matches.flatMap((match) => filesOf(match.replaceAll("\\", "/"), cwd));
}

const isPattern = /[*?[{]/;

type Refusal = { readonly reason: string };

function kindOf(place: string): "folder" | "file" | Refusal {
  return attempt(() => (statSync(place).isDirectory() ? "folder" : "file"));
}

/** What the system gives, or why it refuses that. */
function attempt<T>(act: () => T): T | Refusal {
  try {
    return act();
  } catch (error) {
    const reason = describeErrno(error);
    if (reason === undefined) throw error;
    return { reason };
  }
}

function filesIn(folder: string, cwd: string, ignores: readonly Patterns[]): readonly FoundFile[] {
  const base = folder.replace(/[\\/]+$/, "");
  const names = attempt(() => readdirSync(resolve(cwd, folder)));
  if ("reason" in names) return [{ path: folder, inFolder: true, reason: names.reason }];
  const entries = names
    .filter((name) => !name.startsWith(".") && name !== "node_modules")
    .sort()
    .map((name) => (base === "" ? `/${name}` : base === "." ? name : `${base}/${name}`));
  return entries.flatMap((path) => {
    const place = resolve(cwd, path);
    const entry = lstatSync(place, { throwIfNoEntry: false });
    const isFolder = entry?.isDirectory() === true;
    if (ignores.length > 0 && isIgnored(place, isFolder, ignores)) return [];
    if (isFolder) return filesIn(path, cwd, [...ignores, ...ignoresIn(place)]);
    if (!/\.(ya?ml|json)$/i.test(path)) return [];
    if (entry?.isFile()) return [{ path, inFolder: true }];
    const end = entry?.isSymbolicLink() ? kindOf(place) : undefined;
    if (typeof end === "object") return [{ path, inFolder: true, ...end }];
    return end === "file" ? [{ path, inFolder: true }] : [];
  });
}
