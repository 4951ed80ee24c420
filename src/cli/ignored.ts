import { readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describeErrno } from "../errno.ts";
import { matchPatterns, type PathPattern, parsePatterns } from "../text/patterns.ts";

/** Patterns, and the folder that they start from. */
export interface Patterns {
  readonly folder: string;
  readonly patterns: readonly PathPattern[];
}

/** Whether a path, or a folder on the way to it, is matched by patterns. */
export function isMatched(file: string, { folder, patterns }: Patterns): boolean {
  const parts = relative(folder, file).replaceAll("\\", "/").split("/");
  if (parts[0] === "..") return false;
  return parts.some(
    (_, i) => matchPatterns(parts.slice(0, i + 1).join("/"), i < parts.length - 1, patterns) === "ignored",
  );
}

/** Whether the `.gitignore` files that count for an entry of a folder leave it out; the nearest that says something of it decides. */
export function isIgnored(entry: string, isFolder: boolean, files: readonly Patterns[]): boolean {
  for (const { folder, patterns } of files.toReversed()) {
    const said = matchPatterns(relative(folder, entry).replaceAll("\\", "/"), isFolder, patterns);
    if (said) return said === "ignored";
  }
  return false;
}

/** The `.gitignore` files that count for a folder: its own and, in a repository of git, those above it up to the repository's folder. The outermost first. */
export function ignoresOf(folder: string): readonly Patterns[] {
  const above: string[] = [];
  for (let at = folder; !isRepository(at); at = dirname(at)) {
    if (dirname(at) === at) return ignoresIn(folder);
    above.unshift(at);
  }
  const root = above[0] === undefined ? folder : dirname(above[0]);
  return [root, ...above].flatMap(ignoresIn);
}

/** The `.gitignore` of a folder itself, if it has one. */
export function ignoresIn(folder: string): readonly Patterns[] {
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
