import { readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describeErrno } from "../errno.ts";
import { matchPatterns, type PathPattern, parsePatterns } from "../text/patterns.ts";

/** Patterns relative to a folder. */
export interface PatternSet {
  readonly folder: string;
  readonly patterns: readonly PathPattern[];
}

/** Whether patterns match a file or one of its parent folders. */
export function matchesPatterns(file: string, { folder, patterns }: PatternSet): boolean {
  const parts = relative(folder, file).replaceAll("\\", "/").split("/");
  if (parts[0] === "..") return false;
  return parts.some(
    (_, i) => matchPatterns(parts.slice(0, i + 1).join("/"), i < parts.length - 1, patterns) === "ignored",
  );
}

/** Whether `.gitignore` files exclude an entry. The nearest matching file decides. */
export function isIgnored(entry: string, isFolder: boolean, files: readonly PatternSet[]): boolean {
  for (const { folder, patterns } of files.toReversed()) {
    const result = matchPatterns(relative(folder, entry).replaceAll("\\", "/"), isFolder, patterns);
    if (result) return result === "ignored";
  }
  return false;
}

/** Loads the `.gitignore` files from the repository's root down to a folder. */
export function gitignoresFor(folder: string): readonly PatternSet[] {
  const above: string[] = [];
  for (let at = folder; !isRepository(at); at = dirname(at)) {
    if (dirname(at) === at) return gitignoreIn(folder);
    above.unshift(at);
  }
  const root = above[0] === undefined ? folder : dirname(above[0]);
  return [root, ...above].flatMap(gitignoreIn);
}

/** Loads the `.gitignore` of a folder. */
export function gitignoreIn(folder: string): readonly PatternSet[] {
  try {
    const patterns = parsePatterns(readFileSync(join(folder, ".gitignore"), "utf8").split("\n"));
    return patterns.length > 0 ? [{ folder, patterns }] : [];
  } catch (error) {
    if (describeErrno(error) === undefined) throw error;
    return [];
  }
}

const isRepository = (folder: string): boolean =>
  statSync(join(folder, ".git"), { throwIfNoEntry: false }) !== undefined;
