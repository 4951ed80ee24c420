import type { Json } from "../../json.ts";
import { h } from "./dom.ts";

/** Objects and arrays that fit this width are printed on one line. */
const width = 56;

/** Values with more lines are compared as wholes. */
const maxComparedLines = 400;

/** Prints a JSON value, with small objects and arrays on one line. */
export function printJson(value: Json, indent = ""): string {
  const flat = flatJson(value);
  if (flat.length + indent.length <= width || typeof value !== "object" || value === null) return flat;
  const inner = `${indent}  `;
  const items = Array.isArray(value)
    ? (value as readonly Json[]).map((item) => `${inner}${printJson(item, inner)}`)
    : Object.entries(value).map(
        ([key, member]) => `${inner}${JSON.stringify(key)}: ${printJson(member as Json, inner)}`,
      );
  if (items.length === 0) return flat;
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return `${open}\n${items.join(",\n")}\n${indent}${close}`;
}

function flatJson(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(flatJson).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${flatJson(member as Json)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** A JSON value with colors. */
export const jsonView = (value: Json): HTMLElement =>
  h(
    "pre",
    { class: "json" },
    ...printJson(value)
      .split("\n")
      .map((line) => lineView(line, "")),
  );

/** Two versions of a value side by side; lines that only one of them has are marked. */
export function jsonChange(before: Json | undefined, after: Json | undefined): readonly [HTMLElement, HTMLElement] {
  const [old, now] = [before, after].map((value) => (value === undefined ? [] : printJson(value).split("\n")));
  const common = commonLines(old!, now!);
  const view = (lines: readonly string[], kept: ReadonlySet<number>, change: string) =>
    h("pre", { class: "json" }, ...lines.map((line, i) => lineView(line, kept.has(i) ? "" : change)));
  return [view(old!, common.old, "removed"), view(now!, common.now, "added")];
}

const withoutComma = (line: string): string => line.replace(/,$/, "");

/** The indexes of the lines of a longest common subsequence. */
function commonLines(old: readonly string[], now: readonly string[]) {
  const kept = { old: new Set<number>(), now: new Set<number>() };
  if (old.length > maxComparedLines || now.length > maxComparedLines) return kept;
  const [a, b] = [old.map(withoutComma), now.map(withoutComma)];
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i]![j] = a[i] === b[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      kept.old.add(i++);
      kept.now.add(j++);
    } else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) i++;
    else j++;
  }
  return kept;
}

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

function lineView(line: string, change: string): HTMLElement {
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const match of line.matchAll(token)) {
    const [found, string, colon] = match;
    parts.push(line.slice(end, match.index));
    const kind = string === undefined ? "literal" : colon === undefined ? "string" : "member";
    parts.push(h("span", { class: kind }, string ?? found), colon ?? "");
    end = match.index + found.length;
  }
  return h("div", { class: `line ${change}` }, ...parts, line.slice(end) || (parts.length === 0 ? " " : ""));
}
