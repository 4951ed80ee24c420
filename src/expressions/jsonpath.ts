import type { Expression, Segment } from "./ast.ts";
import { bind, query, variable } from "./build.ts";
import { type Cursor, cursorOf, expect, peek, shown, signal, skipSpace } from "./cursor.ts";
import { type Parsed, parsing } from "./fault.ts";
import { readSegments } from "./jsonpath/segments.ts";

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
   * Exactly RFC 9535. Otherwise also what Jayway's implementation takes: dots before `[` and at the end, `-` in names and digits at their beginning,
   * spaces around the path; and a path alone in a filter is true if it selects a value that is neither false nor null.
   */
  readonly strict?: boolean | undefined;
}

/** What `$` stands for: the expression of a path from the root with these segments. */
export type Root = (segments: readonly Segment[]) => Expression;

/** Parses a JSONPath over `source`, which `$` stands for also inside filters. */
export function parseJsonPath(text: string, source: Expression, options: JsonPathOptions = {}): Parsed<JsonPath> {
  return parsing(() => {
    const cursor = cursorOf(text);
    if (!options.strict) skipSpace(cursor);
    const simple = source.kind === "variable" || source.kind === "literal";
    const path = readJsonPath(cursor, (segments) => query(simple ? source : variable("root"), segments), options);
    if (!options.strict) skipSpace(cursor);
    if (cursor.offset < text.length) refuseRest(cursor);
    if (simple) return path;
    return { ...path, query: path.segments.some(hasFilter) ? bind("root", source, path.query) : query(source, path.segments) };
  });
}

/** Reads a path that begins at the cursor, as far as it goes. */
export function readJsonPath(cursor: Cursor, root: Root, options: JsonPathOptions = {}): JsonPath {
  if (peek(cursor) !== "$") signal(cursor, "syntax", `A path begins with \`$\`, not with ${shown(cursor)}.`);
  expect(cursor, "$");
  const segments = readSegments(cursor, { strict: options.strict ?? false, root });
  return { query: root(segments), ...factsOf(segments), segments };
}

/** Whether segments select one node at most. */
export const isDefinite = (segments: readonly Segment[]): boolean =>
  segments.every((segment) => !segment.descend && segment.selectors.length === 1 && ["name", "index"].includes(segment.selectors[0]!.kind));

/** The name that a segment alone stands for. */
export function nameOf(segment: Segment): string | undefined {
  const [selector] = segment.selectors;
  return segment.selectors.length === 1 && selector?.kind === "name" ? selector.name : undefined;
}

function factsOf(segments: readonly Segment[]): Pick<JsonPath, "definite" | "chain" | "lastName"> {
  const names = segments.flatMap((segment) => nameOf(segment) ?? []);
  const chained = names.length === segments.length && segments.every((segment) => !segment.descend);
  return { definite: isDefinite(segments), chain: chained ? names : undefined, lastName: names.at(-1) };
}

const hasFilter = (segment: Segment): boolean => segment.selectors.some((selector) => selector.kind === "filter");

function refuseRest(cursor: Cursor): never {
  if (peek(cursor) === "(") {
    const start = /[\w-]*$/.exec(cursor.text.slice(Math.max(0, cursor.offset - 40), cursor.offset))?.[0].length ?? 0;
    signal(cursor, "unsupported", "Functions in paths are not supported.", cursor.offset - start, cursor.offset + 1);
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
