import type { Segment } from "../../core/ast.ts";
import { type Cursor, match, signal } from "../cursor.ts";
import { isDefinite } from "./jsonpath.ts";
import { readIndex } from "./literals.ts";

/**
 * Reads the rest of a function of Jayway's that stands in a path like a name, from its `(` on. `first()`, `last()` and `index(n)` are the elements
 * that `[0]`, `[-1]` and `[n]` select. `length()` and `size()` end a path to one place: they give what RFC 9535's `length` gives, so that texts have
 * a length too, which they have not for Jayway. The others have no meaning here.
 */
export function readMethod(cursor: Cursor, name: string, before: readonly Segment[]): Segment | "length" {
  const start = cursor.offset - name.length;
  if (name === "index" && match(cursor, /\(\s*/y) !== undefined) return element(readIndex(cursor), cursor, start, name);
  if (match(cursor, /\(\s*\)/y) === undefined) return refuseMethod(cursor, start, name);
  switch (name) {
    case "first":
      return element(0, cursor, start, name);
    case "last":
      return element(-1, cursor, start, name);
    case "length":
    case "size":
      if (isDefinite(before)) return "length";
      return signal(
        cursor,
        "unsupported",
        `\`${name}()\` is not supported after a path that can select several values.`,
        start,
        cursor.offset,
        "In filters, `count(…)` counts what a path selects.",
      );
    default:
      return refuseMethod(cursor, start, name);
  }
}

function element(index: number | undefined, cursor: Cursor, start: number, name: string): Segment {
  if (index === undefined || (name === "index" && match(cursor, /\s*\)/y) === undefined))
    return refuseMethod(cursor, start, name);
  return { descend: false, selectors: [{ kind: "index", index }] };
}

function refuseMethod(cursor: Cursor, start: number, name: string): never {
  const shown = name.slice(0, 40);
  return signal(
    cursor,
    "unsupported",
    known.has(name) ? `\`${shown}\` is not called like this.` : `The function \`${shown}\` in paths is not supported.`,
    start,
    start + name.length,
    known.get(name),
  );
}

const known: ReadonlyMap<string, string> = new Map([
  ["first", "It has no arguments: `first()`."],
  ["last", "It has no arguments: `last()`."],
  ["length", "It has no arguments: `length()`."],
  ["size", "It has no arguments: `size()`."],
  ["index", "Its argument is a whole number: `index(2)`."],
]);
