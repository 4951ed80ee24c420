import { readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { reasonOf } from "../system.ts";

/** A line of a `.gitignore`, or a pattern of a configuration, which is written alike. */
export interface Pattern {
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
  /** Tests paths with `/` from the folder that the pattern stands in. */
  readonly test: RegExp;
}

/** Patterns, and the folder that they start from. */
export interface Patterns {
  readonly folder: string;
  readonly patterns: readonly Pattern[];
}

/** The pattern in a line; undefined for a comment, for an empty one, and for one that matches nothing. */
export function patternOf(line: string): Pattern | undefined {
  const written = line.replace(/(?<!\\)[ \t\r]+$/, "");
  if (written === "" || written.startsWith("#")) return undefined;
  const isNegated = written.startsWith("!");
  const body = written.slice(isNegated ? 1 : 0);
  const isForFolders = body.endsWith("/");
  const path = isForFolders ? body.slice(0, -1) : body;
  const isAnchored = path.includes("/");
  try {
    const test = new RegExp(`^${isAnchored ? "" : "(?:.*/)?"}${sourceOf(path.replace(/^\//, ""))}$`, "su");
    return { isNegated, isForFolders, test };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The patterns in lines. */
export const patternsIn = (lines: readonly string[]): readonly Pattern[] =>
  lines.flatMap((line) => patternOf(line) ?? []);

/** `a/**\/b*` as a regular expression. */
function sourceOf(path: string): string {
  return path.replace(
    /^\*\*\/|\/\*\*$|\/\*\*(?=\/)|\*+|\?|\[(!?)(\]?[^\]]*)\]|\\(.)|[.+^${}()|[\]\\]/gsu,
    (found, not: string | undefined, set: string | undefined, escaped: string | undefined, at: number) => {
      if (found === "**/") return "(?:.*/)?";
      if (found === "/**") return at + found.length === path.length ? "/.+" : "(?:/.*)?";
      if (found.startsWith("*")) return "[^/]*";
      if (found === "?") return "[^/]";
      if (set !== undefined) return `[${not === "!" ? "^/" : ""}${set.replace(/[[\]\\]/g, "\\$&")}]`;
      return `\\${escaped ?? found}`.replace(/^\\(?=[\w\s"#%&',:;<=>@`~!-])/u, "");
    },
  );
}

/** What the last pattern that fits a path says of it; undefined where none does. */
export function saidOf(path: string, isFolder: boolean, patterns: readonly Pattern[]): "ignored" | "kept" | undefined {
  const found = patterns.findLast(({ isForFolders, test }) => (isFolder || !isForFolders) && test.test(path));
  return found && (found.isNegated ? "kept" : "ignored");
}

/** Whether a path, or a folder on the way to it, is matched by patterns. */
export function isMatched(file: string, { folder, patterns }: Patterns): boolean {
  const parts = relative(folder, file).replaceAll("\\", "/").split("/");
  if (parts[0] === "..") return false;
  return parts.some((_, i) => saidOf(parts.slice(0, i + 1).join("/"), i < parts.length - 1, patterns) === "ignored");
}

/** Whether the `.gitignore` files that count for an entry of a folder leave it out; the nearest that says something of it decides. */
export function isIgnored(entry: string, isFolder: boolean, files: readonly Patterns[]): boolean {
  for (const { folder, patterns } of files.toReversed()) {
    const said = saidOf(relative(folder, entry).replaceAll("\\", "/"), isFolder, patterns);
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
    const patterns = patternsIn(readFileSync(join(folder, ".gitignore"), "utf8").split("\n"));
    return patterns.length > 0 ? [{ folder, patterns }] : [];
  } catch (error) {
    if (reasonOf(error) === undefined) throw error;
    return [];
  }
}

const isRepository = (folder: string): boolean =>
  statSync(join(folder, ".git"), { throwIfNoEntry: false }) !== undefined;
