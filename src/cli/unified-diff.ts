import { type DiffLine, diffLines } from "../text/line-diff.ts";

/** The lines around a change. */
const context = 3;

/** Prints the difference of two versions of a file, as `diff -u` does. An absent file is undefined. */
export function unifiedDiff(path: string, before: string | undefined, after: string | undefined): string {
  const lines = diffLines(linesOf(before), linesOf(after));
  const head = `--- ${before === undefined ? "/dev/null" : path}\n+++ ${after === undefined ? "/dev/null" : path}\n`;
  return head + hunksOf(lines).join("");
}

/** A file that does not end with a line break has a last line, too. */
const linesOf = (text = ""): readonly string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

function hunksOf(lines: readonly DiffLine[]): readonly string[] {
  const changes = lines.flatMap(([sign], index) => (sign === " " ? [] : [index]));
  const ranges: { start: number; end: number }[] = [];
  for (const index of changes) {
    const last = ranges.at(-1);
    if (last && index - last.end <= 2 * context) last.end = index + 1;
    else ranges.push({ start: index, end: index + 1 });
  }
  let [at, old, now] = [0, 0, 0];
  return ranges.map((range) => {
    const [start, end] = [Math.max(0, range.start - context), Math.min(lines.length, range.end + context)];
    for (; at < start; at += 1) {
      if (lines[at]![0] !== "+") old += 1;
      if (lines[at]![0] !== "-") now += 1;
    }
    const inside = lines.slice(start, end);
    const count = (sign: "-" | "+") => inside.filter((line) => line[0] !== sign).length;
    const place = (before: number, length: number) => `${length === 0 ? before : before + 1},${length}`;
    const head = `@@ -${place(old, count("+"))} +${place(now, count("-"))} @@\n`;
    return head + inside.map(([sign, text]) => `${sign}${text}\n`).join("");
  });
}
