import type { Span } from "../../../text/source.ts";
import type { Expression, Segment } from "../../core/ast.ts";
import { bind, call, query, variable } from "../../core/build.ts";
import { type Cursor, cursorOf, expect, type Parsed, parsing, peek, shown, signal, skipSpace } from "../cursor.ts";
import { readSegments, type Steps } from "./segments.ts";

/** A parsed JSONPath over a source. */
export interface JsonPath {
  /** Yields the selected nodes. */
  readonly query: Expression;
  readonly segments: readonly Segment[];
  /** Whether it selects one node at most: it has only names and indexes. */
  readonly definite: boolean;
  /** The names, where the path is a chain of names: `$.a['b']`; `[]` for `$` alone. */
  readonly chain: readonly string[] | undefined;
  /** The last name in the path: `b` in `$.a.b[0]`; absent where it has none. */
  readonly lastName: string | undefined;
}

/** How to read a path. */
export interface JsonPathOptions {
  /**
   * Exactly RFC 9535. Otherwise also what Goessner's and Jayway's implementations take, where that has one meaning:
   *
   * - Dots before `[` and at the end, `-` in names and digits at their beginning, spaces around the path (Jayway).
   * - `[(@.length-1)]` is the last element, and so on (Goessner); `.first()`, `.last()`, `.index(n)` are elements (Jayway).
   * - In conditions, `.length()` and `.size()` at the end of a path to one place give what `length` gives in RFC 9535 (Jayway, but for texts, which
   *   have no length there).
   * - `===` and `!==` are `==` and `!=`, which know types here (Jayway); `in [1, 2]` and `nin [1, 2]` compare with each value as `==` does.
   * - A path alone in a filter is true if it selects a value that is neither false nor null (Serverless Workflow).
   *
   * A pattern of `match` or `search` that is written out and is no I-Regexp is a fault; for RFC 9535 it only matches nothing.
   */
  readonly strict?: boolean | undefined;
  /** The place in the sources of a stretch of the path's text; without it selectors have none. Asked only about the first 2,000 UTF-16 units. */
  readonly spanAt?: SpanAt | undefined;
}

/** Where a stretch of a text stands: from an offset in UTF-16 units up to another. */
export type SpanAt = (from: number, to: number) => Span;

/** What `$` stands for: the expression of a path from the root with these segments. */
export type Root = (segments: readonly Segment[]) => Expression;

/** Parses a JSONPath over `source`, which `$` stands for also inside filters. */
export function parseJsonPath(text: string, source: Expression, options: JsonPathOptions = {}): Parsed<JsonPath> {
  return parsing(() => {
    const cursor = cursorOf(text);
    if (!options.strict) skipSpace(cursor);
    const simple = source.kind === "variable" || source.kind === "literal";
    const steps = readSteps(cursor, (segments) => query(simple ? source : variable("root"), segments), options);
    if (!options.strict) skipSpace(cursor);
    if (cursor.offset < text.length) refuseRest(cursor, options);
    if (steps.measuredAt !== undefined) refuseFunction(cursor, steps.measuredAt);
    const { segments } = steps;
    const filtered = !simple && segments.some(hasFilter);
    const path = filtered ? bind("root", source, query(variable("root"), segments)) : query(source, segments);
    return { query: path, segments, ...factsOf(segments) };
  });
}

/** Reads a path that begins at the cursor, as far as it goes: the nodes that it selects, or the length of one where it ends with `.length()`. */
export function readJsonPath(cursor: Cursor, root: Root, options: JsonPathOptions = {}): Expression {
  const { segments, measuredAt } = readSteps(cursor, root, options);
  return measuredAt === undefined ? root(segments) : call("nodeLength", root(segments));
}

/** Whether segments select one node at most. */
export const isDefinite = (segments: readonly Segment[]): boolean =>
  segments.every(
    (segment) =>
      !segment.descend && segment.selectors.length === 1 && ["name", "index"].includes(segment.selectors[0]!.kind),
  );

/** The name that a segment alone stands for. */
export function nameOf(segment: Segment): string | undefined {
  const [selector] = segment.selectors;
  return segment.selectors.length === 1 && selector?.kind === "name" ? selector.name : undefined;
}

const hasFilter = (segment: Segment): boolean => segment.selectors.some((selector) => selector.kind === "filter");

function readSteps(cursor: Cursor, root: Root, { strict = false, spanAt }: JsonPathOptions): Steps {
  if (peek(cursor) !== "$") signal(cursor, "syntax", `A path begins with \`$\`, not with ${shown(cursor)}.`);
  expect(cursor, "$");
  return readSegments(cursor, { strict, root, spanAt });
}

function factsOf(segments: readonly Segment[]): Pick<JsonPath, "definite" | "chain" | "lastName"> {
  const names = segments.flatMap((segment) => nameOf(segment) ?? []);
  const chained = names.length === segments.length && segments.every((segment) => !segment.descend);
  return { definite: isDefinite(segments), chain: chained ? names : undefined, lastName: names.at(-1) };
}

function refuseRest(cursor: Cursor, { strict }: JsonPathOptions): never {
  if (peek(cursor) === "(") {
    const start = /[\w-]*$/.exec(cursor.text.slice(Math.max(0, cursor.offset - 40), cursor.offset))?.[0].length ?? 0;
    if (!strict) refuseFunction(cursor, cursor.offset - start);
    signal(cursor, "syntax", "Functions stand in filters only.", cursor.offset - start, cursor.offset + 1);
  }
  return signal(
    cursor,
    "syntax",
    `The path ends before ${shown(cursor)}.`,
    cursor.offset,
    cursor.text.length,
    "Write names with other characters as `['…']`.",
  );
}

function refuseFunction(cursor: Cursor, from: number): never {
  return signal(
    cursor,
    "unsupported",
    "Functions in paths are not supported.",
    from,
    cursor.text.indexOf("(", from) + 1,
  );
}
