import type { Call, Expression, Query, Segment, Selector } from "../../../src/expressions/core/ast.ts";
import { and, balanced, call, identity, literal, query } from "../../../src/expressions/core/build.ts";
import { equalExpressions } from "../../../src/expressions/core/equal.ts";
import { isLogic } from "../../../src/expressions/core/views.ts";
import { isDefinite } from "../../../src/expressions/syntax/jsonpath/jsonpath.ts";
import { assertNever } from "../../../src/json.ts";

/**
 * Prints a JSONPath in RFC 9535's syntax. `root` is `$` inside filters. Undefined if no such path is equivalent: a
 * filter on the truth of a slice or of several names, a filter not from a path, or a name with a lone surrogate.
 */
export function printJsonPath(segments: readonly Segment[], root?: Expression): string | undefined {
  const path = printSegments(segments, root);
  return path === undefined ? undefined : `$${path}`;
}

type PrintedPath = string | undefined;

function printSegments(segments: readonly Segment[], root: Expression | undefined): PrintedPath {
  return all(
    segments.map((segment) => {
      const [only] = segment.selectors;
      const plain = segment.selectors.length === 1 && only?.kind === "name" && /^[A-Za-z_]\w*$/.test(only.name);
      if (plain) return `${segment.descend ? ".." : "."}${only.name}`;
      const selectors = all(
        segment.selectors.map((selector) => printSelector(selector, root)),
        ", ",
      );
      return selectors === undefined ? undefined : `${segment.descend ? ".." : ""}[${selectors}]`;
    }),
    "",
  );
}

function printSelector(selector: Selector, root: Expression | undefined): PrintedPath {
  switch (selector.kind) {
    case "name":
      return quote(selector.name);
    case "index":
      return String(selector.index);
    case "slice":
      return `${selector.start ?? ""}:${selector.end ?? ""}${selector.step === undefined ? "" : `:${selector.step}`}`;
    case "wildcard":
      return "*";
    case "filter": {
      const condition = printCondition(selector.condition, root, "or");
      return condition === undefined ? undefined : `?${condition}`;
    }
    default:
      return assertNever(selector);
  }
}

function printCondition(condition: Expression, root: Expression | undefined, around: "or" | "and"): PrintedPath {
  if (isLogic(condition)) {
    const { name: operator, args } = condition;
    const text = all(
      args.map((side) => printCondition(side, root, operator)),
      operator === "and" ? " && " : " || ",
    );
    return text !== undefined && around === "and" && operator === "or" ? `(${text})` : text;
  }
  if (condition.kind !== "call") return undefined;
  const { args, name } = condition;
  const [first] = args as readonly [Expression];
  switch (name) {
    case "not":
      return printNegation(first, root);
    case "exists":
      return printPath(first, root);
    case "truthy": {
      const spelled = withoutTruth(first);
      return spelled && printCondition(spelled, root, around);
    }
    case "comparesNodes":
      return printComparison(condition, root);
    default:
      return printFunction(condition, root);
  }
}

function printNegation(condition: Expression, root: Expression | undefined): PrintedPath {
  const asked = condition.kind === "call" && condition.name === "truthy" ? withoutTruth(condition.args[0]!) : condition;
  const text = asked && printCondition(asked, root, "or");
  const isBare = asked?.kind === "call" && ["exists", "nodeMatches", "nodeSearches"].includes(asked.name);
  return text === undefined ? undefined : isBare ? `!${text}` : `!(${text})`;
}

function printComparison({ args: [left, operator, right] }: Call, root: Expression | undefined): PrintedPath {
  const sign = operator?.kind === "literal" && typeof operator.value === "string" ? operator.value : undefined;
  return sign === undefined
    ? undefined
    : all([printComparable(left!, root), printComparable(right!, root)], ` ${sign} `);
}

function printComparable(side: Expression, root: Expression | undefined): PrintedPath {
  if (side.kind === "call") return printFunction(side, root);
  if (side.kind !== "literal" || (root !== undefined && equalExpressions(side, root))) return printPath(side, root);
  if (typeof side.value === "string") return quote(side.value);
  return typeof side.value === "object" && side.value !== null ? undefined : String(side.value);
}

const functions: ReadonlyMap<string, string> = new Map([
  ["nodeLength", "length"],
  ["nodeCount", "count"],
  ["nodeMatches", "match"],
  ["nodeSearches", "search"],
  ["nodeValue", "value"],
]);

function printFunction({ name, args }: Call, root: Expression | undefined): PrintedPath {
  const called = functions.get(name);
  const texts = all(
    args.map((argument) => printComparable(argument, root)),
    ", ",
  );
  return called === undefined || texts === undefined ? undefined : `${called}(${texts})`;
}

function printPath(path: Expression, root: Expression | undefined): PrintedPath {
  const [source, segments] = path.kind === "query" ? [path.source, path.segments] : [path, []];
  const start =
    source.kind === "identity" ? "@" : root !== undefined && equalExpressions(source, root) ? "$" : undefined;
  const rest = printSegments(segments, root);
  return start === undefined || rest === undefined ? undefined : start + rest;
}

function all(texts: readonly PrintedPath[], separator: string): PrintedPath {
  return texts.every((text) => text !== undefined) ? texts.join(separator) : undefined;
}

/** A name or string in single quotes (RFC 9535, 2.7). Lone surrogates cannot be written. */
function quote(text: string): PrintedPath {
  if (/\p{Surrogate}/u.test(text)) return undefined;
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}

/**
 * Expresses `truthy(path)` in RFC 9535: a definite path must have a truthy value; otherwise the test moves into a
 * filter. Undefined for slices and several names.
 */
function withoutTruth(path: Expression): Expression | undefined {
  if (path.kind !== "query" || isDefinite(path.segments)) return placeIsTrue(path);
  const paths = pathsOf(path);
  if (!paths) return undefined;
  return balanced(
    "or",
    paths.map((one) =>
      isDefinite(one) ? placeIsTrue(query(path.source, one)) : call("exists", query(path.source, filtered(one))),
    ),
  );
}

function placeIsTrue(place: Expression): Expression {
  const differs = (value: boolean | null) => call("comparesNodes", place, literal("!="), literal(value));
  const isTrue = and(differs(false), differs(null));
  return place.kind === "identity" ? isTrue : and(call("exists", place), isTrue);
}

/** The maximum number of paths. */
const mostPaths = 20;

/**
 * Paths that together select the same nodes, with wildcards and filters as the last non-definite segments: `..a` is
 * `.a` and `..*.a`.
 */
function pathsOf({ segments }: Query): readonly (readonly Segment[])[] | undefined {
  const paths: (readonly Segment[])[] = [];
  for (let path = segments; paths.length < mostPaths; ) {
    const last = lastIndefinite(path);
    const segment = path[last];
    if (!segment) return [path, ...paths];
    if (segment.selectors.every(isOpen)) return [path, ...paths];
    const step: Segment = { ...segment, descend: false };
    if (!isDefinite([step])) return undefined;
    const [before, after] = [path.slice(0, last), path.slice(last + 1)];
    paths.unshift([...before, { descend: true, selectors: [{ kind: "wildcard" }] }, step, ...after]);
    path = [...before, step, ...after];
  }
  return undefined;
}

const isOpen = ({ kind }: Selector): boolean => kind === "wildcard" || kind === "filter";

const lastIndefinite = (path: readonly Segment[]): number => path.findLastIndex((segment) => !isDefinite([segment]));

/** A path whose last wildcards or filters keep only nodes that lead to a truthy value. */
function filtered(path: readonly Segment[]): readonly Segment[] {
  const last = lastIndefinite(path);
  const isTrue = placeIsTrue(query(identity, path.slice(last + 1)));
  const selectors = path[last]!.selectors.map((selector): Selector => {
    const condition = selector.kind === "filter" ? and(selector.condition, isTrue) : isTrue;
    return { kind: "filter", condition };
  });
  return [...path.slice(0, last), { ...path[last]!, selectors }];
}
