import type { Json } from "../../json.ts";
import type { Access, Binary, Call, Expression, Fold, Iterate, Segment } from "./ast.ts";

/** A constant. */
export const literal = (value: Json): Expression => ({ kind: "literal", value });
/** `.` */
export const identity: Expression = { kind: "identity" };
/** `$name` */
export const variable = (name: string): Expression => ({ kind: "variable", name });
/** The nodes that `segments` select in `source`. */
export const query = (source: Expression, segments: readonly Segment[]): Expression =>
  segments.length === 0 ? source : { kind: "query", source, segments };
/** The member chain `source.a.b.c`; yields nothing if one is missing. */
export const member = (source: Expression, ...names: readonly string[]): Expression =>
  query(
    source,
    names.map((name) => ({ descend: false, selectors: [{ kind: "name", name }] })),
  );
/** `source[key]` */
export const access = (source: Expression, key: Expression, optional = false): Access => ({
  kind: "access",
  source,
  key,
  optional,
});
/** `source[from:upTo]`; undefined: from the beginning, up to the end. */
export const slice = (
  source: Expression,
  from: Expression = literal(null),
  upTo: Expression = literal(null),
  optional = false,
): Access =>
  access(
    source,
    object([
      ["start", from],
      ["end", upTo],
    ]),
    optional,
  );
/** `{ key: value, … }` */
export const object = (entries: Iterable<readonly [string, Expression]>): Expression => ({
  kind: "object",
  entries: [...entries].map(([key, value]) => ({ key: literal(key), value })),
});
/** `[E]` */
export const collect = (items: Expression | undefined): Expression => ({ kind: "array", items });
/** `A, B, …` */
export const comma = (...items: readonly Expression[]): Expression => ({ kind: "comma", items });
/** `A | B` */
export const pipe = (left: Expression, right: Expression): Expression => ({ kind: "pipe", left, right });
/** `value as $name | body` */
export const bind = (name: string, value: Expression, body: Expression): Expression => ({
  kind: "let",
  name,
  value,
  body,
});
/** `if condition then … else … end` */
export const conditional = (condition: Expression, then: Expression, otherwise: Expression): Expression => ({
  kind: "if",
  condition,
  then,
  otherwise,
});
/** `left and right` */
export const and = (left: Expression, right: Expression): Expression => call("and", left, right);
/** `left or right` */
export const or = (left: Expression, right: Expression): Expression => call("or", left, right);
/** `left // right` */
export const alternative = (left: Expression, right: Expression): Expression => call("alternative", left, right);
/** `recurse(body)` */
export const recurse = (body: Expression): Expression => call("recurse", body);
/** `path(body)` */
export const pathsOf = (body: Expression): Expression => call("path", body);
/** `path |= value` */
export const update = (path: Expression, value: Expression): Expression => call("update", path, value);
/** An arithmetic operation or comparison. */
export const binary = (operator: Binary["name"], left: Expression, right: Expression): Expression =>
  call(operator, left, right);
/** The concatenation of strings, evaluated from the last to the first. Many parts become a balanced tree. */
export function concatenate(parts: readonly Expression[]): Expression {
  const join = (left: Expression, right: Expression) => binary("+", left, right);
  if (parts.length > 16) return foldBalanced(parts, join)!;
  return parts.slice(1).reduce(join, parts[0] ?? literal(""));
}
/** `source[]` */
export const iterate = (source: Expression, optional = false): Iterate => ({ kind: "iterate", source, optional });
/** `reduce source as $name (initial; update)` */
export const reduce = (source: Expression, name: string, initial: Expression, update: Expression): Fold => ({
  kind: "fold",
  source,
  name,
  initial,
  update,
  extract: undefined,
});
/** `foreach source as $name (initial; update; extract)` */
export const foreach = (
  source: Expression,
  name: string,
  initial: Expression,
  update: Expression,
  extract: Expression,
): Fold => ({ kind: "fold", source, name, initial, update, extract });
/** A call of a builtin. */
export const call = (name: string, ...args: readonly Expression[]): Call => ({ kind: "call", name, args });
/** A call of an enclosing function or parameter. */
export const callLocal = (name: string, args: readonly Expression[]): Call => ({
  kind: "call",
  name,
  args,
  isLocal: true,
});
/** The first output of an expression, otherwise of `otherwise`. */
export const firstOr = (expression: Expression, otherwise: Expression): Expression =>
  call("first", comma(expression, otherwise));
/** Joins conditions by `and` or `or` in a balanced tree. */
export function balanced(operator: "and" | "or", items: readonly Expression[]): Expression {
  return foldBalanced(items, (left, right) => call(operator, left, right)) ?? literal(operator === "and");
}
/** Combines items pairwise in a balanced tree; undefined for none. */
export function foldBalanced<T>(items: readonly T[], combine: (left: T, right: T) => T): T | undefined {
  if (items.length < 2) return items[0];
  const half = (items.length + 1) >> 1;
  return combine(foldBalanced(items.slice(0, half), combine)!, foldBalanced(items.slice(half), combine)!);
}
