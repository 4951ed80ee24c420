import type { Segment, Selector } from "../ast.ts";
import { type Cursor, match, nested, peek, shown, signal, skipSpace, take } from "../cursor.ts";
import type { Root } from "../jsonpath.ts";
import { readCondition } from "./filters.ts";
import { readIndex, readString } from "./literals.ts";

/** How a path is read: the dialect, and what `$` stands for. */
export interface Dialect {
  readonly strict: boolean;
  readonly root: Root;
}

/** Reads as many segments as follow. */
export function readSegments(cursor: Cursor, dialect: Dialect): readonly Segment[] {
  const segments: Segment[] = [];
  for (;;) {
    const start = cursor.offset;
    skipSpace(cursor);
    const segment = readSegment(cursor, dialect);
    if (segment === undefined) {
      cursor.offset = start;
      return segments;
    }
    if (segment === "nothing") return segments;
    segments.push(segment);
  }
}

/** A segment; `nothing` for a dot at the end; undefined where none begins. */
function readSegment(cursor: Cursor, dialect: Dialect): Segment | "nothing" | undefined {
  if (take(cursor, "..")) return readDescendant(cursor, dialect);
  if (take(cursor, ".")) return readDotted(cursor, dialect);
  return peek(cursor) === "[" ? { descend: false, selectors: readBracket(cursor, dialect) } : undefined;
}

function readDescendant(cursor: Cursor, dialect: Dialect): Segment {
  if (peek(cursor) === "[") return { descend: true, selectors: readBracket(cursor, dialect) };
  const selector = readName(cursor, dialect);
  if (!selector) signal(cursor, "syntax", `A name, \`*\` or \`[\` is missing after \`..\`.`, cursor.offset - 2, cursor.offset);
  return { descend: true, selectors: [selector] };
}

function readDotted(cursor: Cursor, dialect: Dialect): Segment | "nothing" {
  const selector = readName(cursor, dialect);
  if (selector) return { descend: false, selectors: [selector] };
  if (!dialect.strict && peek(cursor) === "[") return { descend: false, selectors: readBracket(cursor, dialect) };
  if (!dialect.strict && /^[\s)\],|&=!<>]?$/.test(peek(cursor))) return "nothing";
  return signal(cursor, "syntax", `After \`.\` a name or \`*\` is missing before ${shown(cursor)}.`, cursor.offset - 1, cursor.offset);
}

function readName(cursor: Cursor, dialect: Dialect): Selector | undefined {
  if (take(cursor, "*")) return { kind: "wildcard" };
  const name = match(
    cursor,
    dialect.strict
      ? /[A-Za-z_\u0080-\uD7FF\uE000-\u{10FFFF}][\w\u0080-\uD7FF\uE000-\u{10FFFF}]*/uy
      : /[\w\u0080-\uD7FF\uE000-\u{10FFFF}][\w\-\u0080-\uD7FF\uE000-\u{10FFFF}]*/uy,
  );
  return name === undefined ? undefined : { kind: "name", name };
}

function readBracket(cursor: Cursor, dialect: Dialect): readonly Selector[] {
  const start = cursor.offset++;
  const selectors: Selector[] = [];
  do {
    skipSpace(cursor);
    selectors.push(readSelector(cursor, dialect, start));
    skipSpace(cursor);
  } while (take(cursor, ","));
  if (!take(cursor, "]")) signal(cursor, "syntax", `\`]\` is missing before ${shown(cursor)}.`);
  return selectors;
}

function readSelector(cursor: Cursor, dialect: Dialect, bracket: number): Selector {
  if (take(cursor, "*")) return { kind: "wildcard" };
  if (take(cursor, "?")) return { kind: "filter", condition: nested(cursor, () => readCondition(cursor, dialect)) };
  const name = readString(cursor);
  if (name !== undefined) return { kind: "name", name };
  if (peek(cursor) === "(") {
    signal(
      cursor,
      "unsupported",
      "Script expressions in paths are not supported.",
      cursor.offset,
      undefined,
      "The last element is `[-1]`.",
    );
  }
  const start = readIndex(cursor);
  const afterIndex = cursor.offset;
  skipSpace(cursor);
  if (take(cursor, ":")) return readSlice(cursor, start);
  cursor.offset = afterIndex;
  if (start !== undefined) return { kind: "index", index: start };
  return refuseSelector(cursor, bracket);
}

function refuseSelector(cursor: Cursor, bracket: number): never {
  if (peek(cursor) === "") signal(cursor, "syntax", "The `[` that begins here is not closed.", bracket, cursor.offset);
  const message = `${shown(cursor)} begins nothing that can stand in \`[ ]\`.`;
  return signal(cursor, "syntax", message, undefined, undefined, "Names in brackets are quoted: `['name']`.");
}

function readSlice(cursor: Cursor, start: number | undefined): Selector {
  skipSpace(cursor);
  const end = readIndex(cursor);
  const afterEnd = cursor.offset;
  skipSpace(cursor);
  if (!take(cursor, ":")) {
    cursor.offset = afterEnd;
    return { kind: "slice", start, end };
  }
  const afterColon = cursor.offset;
  skipSpace(cursor);
  const step = readIndex(cursor);
  if (step === undefined) cursor.offset = afterColon;
  return { kind: "slice", start, end, step };
}
