import { globSync, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, relative, resolve, sep } from "node:path";
import { describeErrno } from "../errno.ts";
import { gitignoreIn, gitignoresFor, isIgnored, type PatternSet } from "./gitignore.ts";
import { commandFailure, usageError } from "./terminal.ts";

/** A file found by the arguments. */
export interface FoundFile {
  /** For display; `-` is standard input. */
  readonly path: string;
  /** Whether it was found in a folder. */
  readonly inFolder: boolean;
  /** Why it cannot be read, if known. */
  readonly reason?: string | undefined;
}

/** The names of files that may have definitions: YAML, JSON and Terraform. */
const definitionFiles = /\.(?:ya?ml|json|asl|tf)$/i;

/**
 * Finds files, each once. Searches folders recursively for YAML, JSON and Terraform files, in order of names, except in `node_modules`,
 * dot folders, linked folders and what `.gitignore` excludes.
 */
export function findFiles(paths: readonly string[], cwd: string): readonly FoundFile[] {
  const found = new Map<string, FoundFile>();
  for (const file of paths.flatMap((path) => expandPath(path, cwd))) {
    const realPath = file.path === "-" ? "-" : realPathOf(resolve(cwd, file.path));
    if (!found.has(realPath)) found.set(realPath, file);
  }
  return [...found.values()];
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function expandPath(path: string, cwd: string): readonly FoundFile[] {
  if (path === "") throw usageError("A path is empty.");
  if (path === "-") return [{ path, inFolder: false }];
  const kind = kindOf(resolve(cwd, path));
  if (typeof kind === "object" && !patternCharacters.test(path)) return [{ path, inFolder: false, ...kind }];
  if (kind === "folder") return filesIn(path, cwd, gitignoresFor(resolve(cwd, path)));
  if (kind === "file") return [{ path, inFolder: false }];
  const matches = globSync(path, { cwd }).sort();
  if (matches.length === 0) throw commandFailure(`No files match \`${path}\`.`);
  return matches.flatMap((match) => expandPath(match.replaceAll("\\", "/"), cwd));
}

/**
 * Finds the files of a project's glob: those of a folder as above, or the YAML, JSON and Terraform files that it matches, with the
 * same exceptions. A file that is named without a wildcard is found even if it is excluded.
 */
export function findGlob(pattern: string, folder: string, cwd: string): readonly FoundFile[] {
  const path = relative(cwd, resolve(folder, pattern)).replaceAll("\\", "/") || ".";
  const kind = kindOf(resolve(folder, pattern));
  if (kind === "file") return [{ path, inFolder: false }];
  if (kind === "folder") return filesIn(path, cwd, gitignoresFor(resolve(folder, pattern)));
  const ignores = new Map<string, readonly PatternSet[]>();
  const isFound = (match: string): boolean => {
    const place = resolve(folder, match);
    const parent = dirname(place);
    const own = ignores.get(parent) ?? gitignoresFor(parent);
    ignores.set(parent, own);
    return kindOf(place) === "file" && !isIgnored(place, false, own);
  };
  return globSync(pattern, { cwd: folder, exclude: isSkipped })
    .filter((match) => definitionFiles.test(match) && !match.split(sep).some(isSkipped) && isFound(match))
    .sort()
    .map((match) => ({ path: relative(cwd, resolve(folder, match)).replaceAll("\\", "/"), inFolder: true }));
}

/** Whether no search enters a folder of this name, or finds a file. */
export const isSkipped = (path: string): boolean => {
  const name = basename(path);
  return (name.startsWith(".") && name !== "." && name !== "..") || name === "node_modules";
};

const patternCharacters = /[*?[{]/;

type Refusal = { readonly reason: string };

function kindOf(place: string): "folder" | "file" | Refusal {
  return tryCall(() => (statSync(place).isDirectory() ? "folder" : "file"));
}

function tryCall<T>(act: () => T): T | Refusal {
  try {
    return act();
  } catch (error) {
    const reason = describeErrno(error);
    if (reason === undefined) throw error;
    return { reason };
  }
}

function filesIn(folder: string, cwd: string, ignores: readonly PatternSet[]): readonly FoundFile[] {
  const base = folder.replace(/[\\/]+$/, "");
  const names = tryCall(() => readdirSync(resolve(cwd, folder)));
  if ("reason" in names) return [{ path: folder, inFolder: true, reason: names.reason }];
  const entries = names
    .filter((name) => !isSkipped(name))
    .sort()
    .map((name) => (base === "" ? `/${name}` : base === "." ? name : `${base}/${name}`));
  return entries.flatMap((path) => {
    const place = resolve(cwd, path);
    const entry = lstatSync(place, { throwIfNoEntry: false });
    const isFolder = entry?.isDirectory() === true;
    if (ignores.length > 0 && isIgnored(place, isFolder, ignores)) return [];
    if (isFolder) return filesIn(path, cwd, [...ignores, ...gitignoreIn(place)]);
    if (!definitionFiles.test(path)) return [];
    if (entry?.isFile()) return [{ path, inFolder: true }];
    const end = entry?.isSymbolicLink() ? kindOf(place) : undefined;
    if (typeof end === "object") return [{ path, inFolder: true, ...end }];
    return end === "file" ? [{ path, inFolder: true }] : [];
  });
}
