/** A pattern of `.gitignore`. */
export interface PathPattern {
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
  readonly test: RegExp;
}

/** Parses a line; undefined if it matches nothing. */
export function parsePattern(line: string): PathPattern | undefined {
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

/** Parses the patterns in lines. */
export const parsePatterns = (lines: readonly string[]): readonly PathPattern[] =>
  lines.flatMap((line) => parsePattern(line) ?? []);

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

/** The verdict of the last matching pattern. */
export function matchPatterns(
  path: string,
  isFolder: boolean,
  patterns: readonly PathPattern[],
): "ignored" | "kept" | undefined {
  const found = patterns.findLast(({ isForFolders, test }) => (isFolder || !isForFolders) && test.test(path));
  return found && (found.isNegated ? "kept" : "ignored");
}
