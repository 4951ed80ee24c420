import type { Segment, Selector } from "../../core/ast.ts";
import { type Cursor, consume, describeNext, fail, match, nested, peek, skipSpace } from "../cursor.ts";
import { readCondition } from "./filters.ts";
import { type PathFunction, readMethod } from "./functions.ts";
import type { Root, SpanAt } from "./jsonpath.ts";
import { readIndex, readString } from "./literals.ts";

/** A dialect of paths and their root. */
export interface Dialect {
  readonly strict: boolean;
  readonly root: Root;
  readonly spanAt?: SpanAt | undefined;
  readonly isMethod?: ((name: string) => boolean) | undefined;
}

/** A path after its `$` or `@`. */
export interface ParsedPath {
  readonly segments: readonly Segment[];
  /** The function at its end. */
  readonly applied?: PathFunction | undefined;
}

/** Parses all segments. */
export function readSegments(cursor: Cursor, dialect: Dialect, first: readonly Segment[] = []): ParsedPath {
  const segments = [...first];
  for (;;) {
    const start = cursor.offset;
    skipSpace(cursor);
    const segment = readSegment(cursor, dialect, segments);
    if (segment === undefined) cursor.offset = start;
    if (segment === undefined || "apply" in segment) return { segments, applied: segment };
    segments.push(segment);
  }
}

/** Parses a path without `$.`, which json-path/JsonPath adds. */
export function readRootless(cursor: Cursor, dialect: Dialect): ParsedPath {
  const first = readDotted(cursor, dialect, []);
  if (first === undefined || "apply" in first) return { segments: [], applied: first };
  return readSegments(cursor, dialect, [first]);
}

/** A segment or a function; undefined if none follows. */
function readSegment(cursor: Cursor, dialect: Dialect, before: readonly Segment[]): Segment | PathFunction | undefined {
  if (consume(cursor, "..")) return readDescendant(cursor, dialect);
  if (consume(cursor, ".")) return readDotted(cursor, dialect, before);
  return peek(cursor) === "[" ? { descend: false, selectors: readBracket(cursor, dialect) } : undefined;
}

function readDescendant(cursor: Cursor, dialect: Dialect): Segment {
  if (peek(cursor) === "[") return { descend: true, selectors: readBracket(cursor, dialect) };
  const selector = readName(cursor, dialect);
  if (!selector)
    fail(cursor, "syntax", `A name, \`*\` or \`[\` is missing after \`..\`.`, cursor.offset - 2, cursor.offset);
  return { descend: true, selectors: [selector] };
}

function readDotted(cursor: Cursor, dialect: Dialect, before: readonly Segment[]): Segment | PathFunction | undefined {
  if (dialect.isMethod && endsBeforeMethod(cursor, dialect.isMethod)) return undefined;
  const selector = readName(cursor, dialect);
  if (selector?.kind === "name" && !dialect.strict && peek(cursor) === "(")
    return readMethod(cursor, selector.name, dialect, before);
  if (selector) return { descend: false, selectors: [selector] };
  if (!dialect.strict && peek(cursor) === "[") return { descend: false, selectors: readBracket(cursor, dialect) };
  const message = `A name or \`*\` is missing between \`.\` and ${describeNext(cursor)}.`;
  const next = peek(cursor);
  const hint = /^[^\s.\][()]$/.test(next)
    ? "Write names with other characters as `['…']`."
    : next === "" || next === undefined
      ? "Remove the `.` at the end."
      : undefined;
  return fail(cursor, "syntax", message, cursor.offset - 1, cursor.offset, hint);
}

/** A method of the language around the path, or a selection of SpEL. */
function endsBeforeMethod({ text, offset }: Cursor, isMethod: (name: string) => boolean): boolean {
  const next = /(?<name>[\w-]{1,100})\s*\(|[?!^$]\[/y;
  next.lastIndex = offset;
  const found = next.exec(text);
  return found !== null && (found.groups?.name === undefined || isMethod(found.groups.name));
}

function readName(cursor: Cursor, dialect: Dialect): Selector | undefined {
  if (consume(cursor, "*")) return { kind: "wildcard" };
  const name = match(
    cursor,
    dialect.strict
      ? /[A-Za-z_\u0080-\uD7FF\uE000-\u{10FFFF}][\w\u0080-\uD7FF\uE000-\u{10FFFF}]*/uy
      : /[\w\u0080-\uD7FF\uE000-\u{10FFFF}][\w\-\u0080-\uD7FF\uE000-\u{10FFFF}]*/uy,
  );
  return name === undefined
    ? undefined
    : withSpan({ kind: "name", name }, cursor.offset - name.length, cursor, dialect);
}

/** A span takes time linear in its offset. */
const maxSpanOffset = 2_000;

function withSpan(selector: Selector, from: number, { offset }: Cursor, { spanAt }: Dialect): Selector {
  return spanAt && offset <= maxSpanOffset ? { ...selector, span: spanAt(from, offset) } : selector;
}

function readBracket(cursor: Cursor, dialect: Dialect): readonly Selector[] {
  const start = cursor.offset++;
  const selectors: Selector[] = [];
  do {
    skipSpace(cursor);
    const from = cursor.offset;
    const selector = readSelector(cursor, dialect, start);
    selectors.push(withSpan(selector, from, cursor, dialect));
    skipSpace(cursor);
  } while (consume(cursor, ","));
  if (!consume(cursor, "]")) fail(cursor, "syntax", `\`]\` is missing before ${describeNext(cursor)}.`);
  return selectors;
}

function readSelector(cursor: Cursor, dialect: Dialect, bracket: number): Selector {
  if (consume(cursor, "*")) return { kind: "wildcard" };
  if (consume(cursor, "?")) return { kind: "filter", condition: nested(cursor, () => readCondition(cursor, dialect)) };
  const name = readString(cursor);
  if (name !== undefined) return { kind: "name", name };
  if (peek(cursor) === "(") return readScript(cursor, dialect);
  const start = readIndex(cursor);
  const afterIndex = cursor.offset;
  skipSpace(cursor);
  if (consume(cursor, ":")) return readSlice(cursor, start);
  cursor.offset = afterIndex;
  if (start !== undefined) return { kind: "index", index: start };
  return rejectSelector(cursor, bracket);
}

/** `(@.length-1)` is the last element. */
function readScript(cursor: Cursor, dialect: Dialect): Selector {
  const start = cursor.offset;
  const script = dialect.strict ? undefined : match(cursor, /\(\s*@\.length\s*-\s*(?=[1-9])/y);
  const back = script === undefined ? undefined : readIndex(cursor);
  if (back === undefined || match(cursor, /\s*\)/y) === undefined)
    fail(
      cursor,
      "unsupported",
      "Script expressions in paths are not supported.",
      start,
      start + 1,
      "Write `[-1]` for the last element.",
    );
  return { kind: "index", index: -back };
}

function rejectSelector(cursor: Cursor, bracket: number): never {
  if (peek(cursor) === "") fail(cursor, "syntax", "This `[` is not closed.", bracket, cursor.offset);
  if (/[\],]/.test(peek(cursor)))
    fail(
      cursor,
      "syntax",
      `A name in quotes, an index, a slice, \`*\` or a filter is missing before ${describeNext(cursor)}.`,
    );
  const message = `${describeNext(cursor)} is not allowed in \`[ ]\`.`;
  return fail(cursor, "syntax", message, undefined, undefined, /\w/.test(peek(cursor)) ? quotedNamesHint : undefined);
}

const quotedNamesHint = "Quote names in brackets: `['name']`.";

function readSlice(cursor: Cursor, start: number | undefined): Selector {
  skipSpace(cursor);
  const end = readIndex(cursor);
  const afterEnd = cursor.offset;
  skipSpace(cursor);
  if (!consume(cursor, ":")) {
    cursor.offset = afterEnd;
    return { kind: "slice", start, end };
  }
  const afterColon = cursor.offset;
  skipSpace(cursor);
  const step = readIndex(cursor);
  if (step === undefined) cursor.offset = afterColon;
  return { kind: "slice", start, end, step };
}
