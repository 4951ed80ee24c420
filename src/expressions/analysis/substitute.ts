import { factsOf } from "../analysis/effects.ts";
import type { Expression } from "../core/ast.ts";
import { bind, identity, pipe, variable } from "../core/build.ts";
import { type Child, childrenOf, withBinder, withChildren } from "../core/walk.ts";

/** A linked list of scopes, innermost first. */
export type Names<T> = { readonly name: string; readonly meaning: T; readonly outer: Names<T> } | undefined;

/** The replacements of variables; undefined means that the variable is kept. */
export type Bindings = Names<Expression | undefined>;

/** Looks a name up, innermost scope first. */
export function find<T>(names: Names<T>, name: string): T | undefined {
  for (let known = names; known; known = known.outer) if (known.name === name) return known.meaning;
  return undefined;
}

/**
 * Replaces free variables by expressions, simultaneously and without capture: bound variables are renamed if needed,
 * and `.` in a replacement stays the `.` around the whole expression.
 */
export function substitute(expression: Expression, replacements: ReadonlyMap<string, Expression>): Expression {
  const { free } = factsOf(expression);
  const used = [...replacements].filter(([name]) => free.has(name));
  if (used.length === 0) return expression;
  const dot = used.some(([, value]) => factsOf(value).usesInput) ? freshName("dot", expression, used) : undefined;
  let bindings: Bindings;
  for (const [name, value] of used)
    bindings = { name, meaning: dot === undefined ? value : pipe(variable(dot), value), outer: bindings };
  const result = replace(expression, bindings);
  return dot === undefined ? result : bind(dot, identity, result);
}

/**
 * Maps the children of an expression under the bindings that apply to each, renaming a bound variable that would
 * capture a free one.
 */
export function rebuild(
  expression: Expression,
  bindings: Bindings,
  visit: (part: Expression, bindings: Bindings) => Expression,
): Expression {
  const children = childrenOf(expression);
  if (children.length === 0) return expression;
  const binds = children.find((child) => child.binds !== undefined)?.binds;
  const renamed = binds === undefined ? undefined : binderOf(children, binds, bindings);
  const meaning = renamed === undefined || renamed === binds ? undefined : variable(renamed);
  const parts = children.map((child) =>
    visit(child.expression, child.binds === undefined ? bindings : { name: child.binds, meaning, outer: bindings }),
  );
  const result = withChildren(expression, parts);
  return renamed === undefined || !("name" in result) || result.name === renamed ? result : withBinder(result, renamed);
}

/**
 * Replaces the free `.` of an expression by a variable: `{ a: .b }` over `$x` is `{ a: $x.b }`. Expressions that use
 * their input implicitly are piped.
 */
export function withInput(expression: Expression, name: string): Expression {
  return substitute(overInput(expression, variable(inputName)), new Map([[inputName, variable(name)]]));
}

/** Users cannot write a name with a space, so nothing captures it. */
const inputName = " input";

function overInput(expression: Expression, input: Expression): Expression {
  if (expression.kind === "identity") return input;
  if (!factsOf(expression).usesInput) return expression;
  if (takingInput.has(expression.kind)) return pipe(input, expression);
  const parts = childrenOf(expression).map((child) =>
    child.rebinds ? child.expression : overInput(child.expression, input),
  );
  return withChildren(expression, parts);
}

/** Expressions that use their input without mentioning `.`. */
const takingInput: ReadonlySet<Expression["kind"]> = new Set<Expression["kind"]>([
  "path",
  "update",
  "recurse",
  "apply",
]);

function replace(expression: Expression, bindings: Bindings): Expression {
  if (expression.kind === "variable") return find(bindings, expression.name) ?? expression;
  const { free } = factsOf(expression);
  if (![...free.keys()].some((name) => find(bindings, name))) return expression;
  return rebuild(expression, bindings, replace);
}

/** The name itself, or a fresh one if a replacement inside mentions it. */
function binderOf(children: readonly Child[], name: string, bindings: Bindings): string {
  const inside = children
    .filter((child) => child.binds !== undefined)
    .flatMap((child) => [...factsOf(child.expression).free.keys()])
    .filter((other) => other !== name)
    .map((other) => find(bindings, other) ?? variable(other));
  const taken = (candidate: string) => inside.some((value) => factsOf(value).free.has(candidate));
  if (!taken(name)) return name;
  for (let count = 2; ; count++) if (!taken(`${name}_${count}`)) return `${name}_${count}`;
}

function freshName(
  stem: string,
  expression: Expression,
  replacements: readonly (readonly [string, Expression])[],
): string {
  const all = [expression, ...replacements.map(([, value]) => value)];
  const taken = (name: string) => all.some((one) => factsOf(one).free.has(name));
  let name = stem;
  for (let count = 2; taken(name); count++) name = `${stem}_${count}`;
  return name;
}
