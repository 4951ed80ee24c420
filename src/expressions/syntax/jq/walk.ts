import type { Branch, Jq, ObjectEntry, Pattern, PatternEntry } from "./syntax.ts";

/** The children of a query, including patterns, in source order. */
export function childrenOf(query: Jq): readonly Jq[] {
  switch (query.kind) {
    case "interpolation":
      return query.parts.filter((part) => typeof part !== "string");
    case "index":
      return [query.target, query.key];
    case "slice":
      return present(query.target, query.from, query.upTo);
    case "iteration":
      return [query.target];
    case "array":
      return present(query.items);
    case "object":
      return query.entries.flatMap(entryChildren);
    case "negation":
      return [query.operand];
    case "call":
      return query.args;
    default:
      return childrenOfOperation(query);
  }
}

type TermKind = "interpolation" | "index" | "slice" | "iteration" | "array" | "object" | "negation" | "call";

function childrenOfOperation(query: Exclude<Jq, { readonly kind: TermKind }>): readonly Jq[] {
  switch (query.kind) {
    case "binary":
    case "logic":
    case "alternative":
    case "assignment":
    case "pipe":
      return [query.left, query.right];
    case "comma":
      return query.items;
    case "try":
      return present(query.body, query.handler);
    case "if":
      return [...query.branches.flatMap(branchChildren), ...present(query.otherwise)];
    case "reduce":
      return [query.source, ...query.patterns.flatMap(keysOf), query.initial, query.update];
    case "foreach":
      return [query.source, ...query.patterns.flatMap(keysOf), ...present(query.initial, query.update, query.extract)];
    case "binding":
      return [query.source, ...query.patterns.flatMap(keysOf), query.body];
    case "definition":
      return [query.body, query.rest];
    case "label":
      return [query.body];
    default:
      return none(query);
  }
}

type LeafKind =
  | "identity"
  | "recursion"
  | "number"
  | "string"
  | "constant"
  | "format"
  | "variable"
  | "location"
  | "break";
const none = (_: Extract<Jq, { readonly kind: LeafKind }>): readonly Jq[] => [];

const present = (...queries: readonly (Jq | undefined)[]): readonly Jq[] =>
  queries.filter((query) => query !== undefined);
const entryChildren = ({ key, value }: ObjectEntry): readonly Jq[] => present(key, value);
const branchChildren = ({ condition, result }: Branch): readonly Jq[] => [condition, result];

/** The keys in a pattern. */
export function keysOf(pattern: Pattern): readonly Jq[] {
  if (pattern.kind === "variable") return [];
  if (pattern.kind === "array") return pattern.items.flatMap(keysOf);
  return pattern.entries.flatMap(({ key, pattern: inner }: PatternEntry) => [key, ...(inner ? keysOf(inner) : [])]);
}

/** The variables of patterns, with duplicates. */
export function variablesOf(patterns: readonly Pattern[]): readonly string[] {
  return patterns.flatMap((pattern) => {
    if (pattern.kind === "variable") return [pattern.name];
    if (pattern.kind === "array") return variablesOf(pattern.items);
    return pattern.entries.flatMap(({ variable, pattern: inner }) => [
      ...(variable === undefined ? [] : [variable]),
      ...variablesOf(inner ? [inner] : []),
    ]);
  });
}
