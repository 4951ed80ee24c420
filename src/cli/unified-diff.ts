import { diff } from "node:util";

/** The lines around a change. */
const context = 3;

/** Larger changes are printed as a whole: comparing lines takes quadratic time and memory. */
const maxComparedLines = 1000;

type Line = readonly [sign: "-" | " " | "+", text: string];

/** Prints the difference of two versions of a file, as `diff -u` does. An absent file is undefined. */
export function unifiedDiff(path: string, before: string | undefined, after: string | undefined): string {
  const lines = compareLines(linesOf(before), linesOf(after));
  const head = `--- ${before === undefined ? "/dev/null" : path}\n+++ ${after === undefined ? "/dev/null" : path}\n`;
  return head + hunksOf(lines).join("");
}

/** A file that does not end with a line break has a last line, too. */
const linesOf = (text = ""): readonly string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

function compareLines(before: readonly string[], after: readonly string[]): readonly Line[] {
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const same = (text: string): Line => [" ", text];
  return [
    ...before.slice(0, start).map(same),
    ...compareMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

function compareMiddle(before: readonly string[], after: readonly string[]): readonly Line[] {
  if (before.length + after.length > maxComparedLines)
    return [...before.map((text): Line => ["-", text]), ...after.map((text): Line => ["+", text])];
  const signs = { "-1": "+", "0": " ", "1": "-" } as const;
  return diff(before, after).map(([operation, text]): Line => [signs[`${operation}`], text]);
}

function hunksOf(lines: readonly Line[]): readonly string[] {
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
