import type { Span } from "../../../text/source.ts";
import type { Expression, Segment } from "../../core/ast.ts";
import { bind, query, variable } from "../../core/build.ts";
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
import { type Dialect, type ParsedPath, readRootless, readSegments } from "./segments.ts";

/** A parsed JSONPath. */
export interface JsonPath {
  readonly query: Expression;
  readonly segments: readonly Segment[];
  readonly definite: boolean;
  readonly chain: readonly string[] | undefined;
  /** Whether it is `$`. */
  readonly isRoot: boolean;
  /** `b` in `$.a.b[0]`. */
  readonly lastName: string | undefined;
}

/** Options for paths. */
export interface JsonPathOptions {
  /**
   * Accepts exactly RFC 9535. Otherwise also these extensions of Goessner and Jayway:
   *
   * - dots before `[`, `-` in names, leading digits in names, surrounding spaces (Jayway); `$.` for `$`
   * - `[(@.length-1)]` (Goessner) and `.first()`, `.last()`, `.index(n)` (Jayway) for elements
   * - the functions of Jayway at the end of a path; `.length()` is RFC 9535's `length`, so also for strings
   * - `===` and `!==` as `==` and `!=`, and Jayway's operators of filters
   * - a path alone in a filter tests for a truthy value (Serverless Workflow)
   * - a constant pattern that is not an I-Regexp is a fault
   */
  readonly strict?: boolean | undefined;
  /** Not called beyond 2,000 UTF-16 units. */
  readonly spanAt?: SpanAt | undefined;
  /** Accepts `a.b` for `$.a.b`. */
  readonly isRootless?: boolean | undefined;
  /** Whether a call ends the path, because it is a method of the language around it. */
  readonly isMethod?: ((name: string) => boolean) | undefined;
}

/** Maps UTF-16 offsets to a span. */
export type SpanAt = (from: number, to: number) => Span;

/** The expression of segments from `$`. */
export type Root = (segments: readonly Segment[]) => Expression;

/** Parses a JSONPath over `source`. */
export function parseJsonPath(
  written: string,
  source: Expression,
  options: JsonPathOptions = {},
): ParseResult<JsonPath> {
  return runParser(() => {
    // The draft of Serverless Workflow writes `$.` for `$`.
    const text = !options.strict && written.trim() === "$." ? written.replace(".", "") : written;
    const cursor = cursorOf(text);
    if (!options.strict) skipSpace(cursor);
    const simple = source.kind === "variable" || source.kind === "literal";
    const steps = readRootedPath(cursor, (segments) => query(simple ? source : variable("root"), segments), options);
    if (!options.strict) skipSpace(cursor);
    if (cursor.offset < text.length) rejectRest(cursor, options);
    const { segments, applied } = steps;
    const usesRoot = !simple && (applied !== undefined || segments.some(hasFilter));
    const root = usesRoot ? variable("root") : source;
    const path = (selected: readonly Segment[]) => query(root, selected);
    const nodes = applied?.apply({ path, segments }) ?? path(segments);
    return {
      query: usesRoot ? bind("root", source, nodes) : nodes,
      ...(applied
        ? { segments, definite: true, chain: undefined, lastName: undefined, isRoot: false }
        : { segments, ...describeSegments(segments), isRoot: segments.length === 0 }),
    };
  });
}

/** Parses a path prefix of the input. */
export function readJsonPath(cursor: Cursor, root: Root, options: JsonPathOptions = {}): Expression {
  const { segments, applied } = readRootedPath(cursor, root, options);
  return applied?.apply({ path: root, segments }) ?? root(segments);
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

function readRootedPath(cursor: Cursor, root: Root, options: JsonPathOptions): ParsedPath {
  const { strict = false, spanAt, isMethod, isRootless = false } = options;
  const dialect: Dialect = { strict, root, spanAt, isMethod };
  if (isRootless && !strict && /[\p{L}_]/u.test(peek(cursor))) return readRootless(cursor, dialect);
  if (peek(cursor) !== "$") failAtStart(cursor);
  expect(cursor, "$");
  return readSegments(cursor, dialect);
}

function failAtStart(cursor: Cursor): never {
  const hint = peek(cursor) === "." ? "Write `$` before it, or name jq as the expression language." : undefined;
  fail(cursor, "syntax", `A path begins with \`$\`, not with ${describeNext(cursor)}.`, undefined, undefined, hint);
}

function describeSegments(segments: readonly Segment[]): Pick<JsonPath, "definite" | "chain" | "lastName"> {
  const names = segments.flatMap((segment) => nameOf(segment) ?? []);
  const chained = names.length === segments.length && segments.every((segment) => !segment.descend);
  return { definite: isDefinite(segments), chain: chained ? names : undefined, lastName: names.at(-1) };
}

function rejectRest(cursor: Cursor, { strict }: JsonPathOptions): never {
  if (peek(cursor) === "(") {
    const start = /[\w-]*$/.exec(cursor.text.slice(Math.max(0, cursor.offset - 40), cursor.offset))?.[0].length ?? 0;
    if (!strict)
      fail(
        cursor,
        "unsupported",
        "Functions in paths are not supported here.",
        cursor.offset - start,
        cursor.offset + 1,
      );
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
