import type { Span } from "../../../text/source.ts";
import type { Expression, Segment } from "../../core/ast.ts";
import { bind, call, query, variable } from "../../core/build.ts";
import {
  type Cursor,
  cursorOf,
  describeNext,
  expect,
  fail,
  type ParseResult,
  peek,
  runParser,
  skipSpace,
} from "../cursor.ts";
import { type ParsedPath, readSegments } from "./segments.ts";

/** A parsed JSONPath. */
export interface JsonPath {
  readonly query: Expression;
  readonly segments: readonly Segment[];
  readonly definite: boolean;
  readonly chain: readonly string[] | undefined;
  /** `b` in `$.a.b[0]`. */
  readonly lastName: string | undefined;
}

/** Options for paths. */
export interface JsonPathOptions {
  /**
   * Accepts exactly RFC 9535. Otherwise also these extensions of Goessner and Jayway:
   *
   * - dots before `[` and at the end, `-` in names, leading digits in names, surrounding spaces (Jayway)
   * - `[(@.length-1)]` (Goessner) and `.first()`, `.last()`, `.index(n)` (Jayway) for elements
   * - in filters, `.length()` and `.size()` after a definite path as RFC 9535's `length` (Jayway, but for strings too)
   * - `===` and `!==` as `==` and `!=`, `in [1, 2]` and `nin [1, 2]` (Jayway)
   * - a path alone in a filter tests for a truthy value (Serverless Workflow)
   * - a constant pattern that is not an I-Regexp is a fault
   */
  readonly strict?: boolean | undefined;
  /** Not called beyond 2,000 UTF-16 units. */
  readonly spanAt?: SpanAt | undefined;
  /** Whether a call ends the path, because it is a method of the language around it. */
  readonly isMethod?: ((name: string) => boolean) | undefined;
}

/** Maps UTF-16 offsets to a span. */
export type SpanAt = (from: number, to: number) => Span;

/** The expression of segments from `$`. */
export type Root = (segments: readonly Segment[]) => Expression;

/** Parses a JSONPath over `source`. */
export function parseJsonPath(text: string, source: Expression, options: JsonPathOptions = {}): ParseResult<JsonPath> {
  return runParser(() => {
    const cursor = cursorOf(text);
    if (!options.strict) skipSpace(cursor);
    const simple = source.kind === "variable" || source.kind === "literal";
    const steps = readRootedPath(cursor, (segments) => query(simple ? source : variable("root"), segments), options);
    if (!options.strict) skipSpace(cursor);
    if (cursor.offset < text.length) rejectRest(cursor, options);
    if (steps.lengthAt !== undefined) rejectFunction(cursor, steps.lengthAt);
    const { segments } = steps;
    const filtered = !simple && segments.some(hasFilter);
    const path = filtered ? bind("root", source, query(variable("root"), segments)) : query(source, segments);
    return { query: path, segments, ...describeSegments(segments) };
  });
}

/** Parses a path prefix of the input. */
export function readJsonPath(cursor: Cursor, root: Root, options: JsonPathOptions = {}): Expression {
  const { segments, lengthAt: measuredAt } = readRootedPath(cursor, root, options);
  return measuredAt === undefined ? root(segments) : call("nodeLength", root(segments));
}

/** Whether segments select at most one node. */
export const isDefinite = (segments: readonly Segment[]): boolean =>
  segments.every(
    (segment) =>
      !segment.descend && segment.selectors.length === 1 && ["name", "index"].includes(segment.selectors[0]!.kind),
  );

/** The name of a name segment. */
export function nameOf(segment: Segment): string | undefined {
  const [selector] = segment.selectors;
  return segment.selectors.length === 1 && selector?.kind === "name" ? selector.name : undefined;
}

const hasFilter = (segment: Segment): boolean => segment.selectors.some((selector) => selector.kind === "filter");

function readRootedPath(cursor: Cursor, root: Root, { strict = false, spanAt, isMethod }: JsonPathOptions): ParsedPath {
  if (peek(cursor) !== "$") fail(cursor, "syntax", `A path begins with \`$\`, not with ${describeNext(cursor)}.`);
  expect(cursor, "$");
  return readSegments(cursor, { strict, root, spanAt, isMethod });
}

function describeSegments(segments: readonly Segment[]): Pick<JsonPath, "definite" | "chain" | "lastName"> {
  const names = segments.flatMap((segment) => nameOf(segment) ?? []);
  const chained = names.length === segments.length && segments.every((segment) => !segment.descend);
  return { definite: isDefinite(segments), chain: chained ? names : undefined, lastName: names.at(-1) };
}

function rejectRest(cursor: Cursor, { strict }: JsonPathOptions): never {
  if (peek(cursor) === "(") {
    const start = /[\w-]*$/.exec(cursor.text.slice(Math.max(0, cursor.offset - 40), cursor.offset))?.[0].length ?? 0;
    if (!strict) rejectFunction(cursor, cursor.offset - start);
    fail(cursor, "syntax", "Functions are allowed only in filters.", cursor.offset - start, cursor.offset + 1);
  }
  return fail(
    cursor,
    "syntax",
    `The path ends before ${describeNext(cursor)}.`,
    cursor.offset,
    cursor.text.length,
    "Write names with other characters as `['…']`.",
  );
}

function rejectFunction(cursor: Cursor, from: number): never {
  return fail(cursor, "unsupported", "Functions in paths are not supported.", from, cursor.text.indexOf("(", from) + 1);
}
