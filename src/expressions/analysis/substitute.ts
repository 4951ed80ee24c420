import { effectsOf } from "../analysis/effects.ts";
import type { Expression } from "../core/ast.ts";
import { bind, identity, pipe, variable } from "../core/build.ts";
import { readsInput } from "../core/views.ts";
import { type Child, childrenOf, withBinder, withChildren } from "../core/walk.ts";

/** A linked list of scopes, innermost first. */
export type ScopeChain<T> = { readonly name: string; readonly value: T; readonly outer: ScopeChain<T> } | undefined;

/** Replacements of variables; undefined keeps a variable. */
export type Substitutions = ScopeChain<Expression | undefined>;

/** Looks a name up in the innermost scope that has it. */
export function lookUp<T>(names: ScopeChain<T>, name: string): T | undefined {
  for (let known = names; known; known = known.outer) if (known.name === name) return known.value;
  return undefined;
}

/** Replaces free variables simultaneously, without capture. `.` in a replacement is the outer `.`. */
export function substitute(expression: Expression, replacements: ReadonlyMap<string, Expression>): Expression {
  const { free } = effectsOf(expression);
  const used = [...replacements].filter(([name]) => free.has(name));
  if (used.length === 0) return expression;
  const dot = used.some(([, value]) => effectsOf(value).usesInput) ? freshName("dot", expression, used) : undefined;
  let bindings: Substitutions;
  for (const [name, value] of used)
    bindings = { name, value: dot === undefined ? value : pipe(variable(dot), value), outer: bindings };
  const result = replace(expression, bindings);
  return dot === undefined ? result : bind(dot, identity, result);
}

/** Maps children under their bindings; renames bound variables to avoid capture. */
export function mapChildren(
  expression: Expression,
  bindings: Substitutions,
  visit: (part: Expression, bindings: Substitutions) => Expression,
): Expression {
  const children = childrenOf(expression);
  if (children.length === 0) return expression;
  const binds = children.find((child) => child.boundVariable !== undefined)?.boundVariable;
  const renamed = binds === undefined ? undefined : chooseBinder(children, binds, bindings);
  const meaning = renamed === undefined || renamed === binds ? undefined : variable(renamed);
  const parts = children.map((child) =>
    visit(
      child.expression,
      child.boundVariable === undefined ? bindings : { name: child.boundVariable, value: meaning, outer: bindings },
    ),
  );
  const result = withChildren(expression, parts, children);
  return renamed === undefined || !("name" in result) || result.name === renamed ? result : withBinder(result, renamed);
}

/** Replaces the free `.` by a variable: `{ a: .b }` → `{ a: $x.b }`. */
export function withInput(expression: Expression, name: string): Expression {
  return substitute(replaceInput(expression, variable(inputName)), new Map([[inputName, variable(name)]]));
}

/** No user-written name has a space, so nothing captures it. */
const inputName = " input";

function replaceInput(expression: Expression, input: Expression): Expression {
  if (expression.kind === "identity") return input;
  if (!effectsOf(expression).usesInput) return expression;
  if (expression.kind === "call" && readsInput(expression)) return pipe(input, expression);
  const parts = childrenOf(expression).map((child) =>
    child.rebindsInput ? child.expression : replaceInput(child.expression, input),
  );
  return withChildren(expression, parts);
}

function replace(expression: Expression, bindings: Substitutions): Expression {
  if (expression.kind === "variable") return lookUp(bindings, expression.name) ?? expression;
  const { free } = effectsOf(expression);
  if (![...free.keys()].some((name) => lookUp(bindings, name))) return expression;
  return mapChildren(expression, bindings, replace);
}

function chooseBinder(children: readonly Child[], name: string, bindings: Substitutions): string {
  const inside = children
    .filter((child) => child.boundVariable !== undefined)
    .flatMap((child) => [...effectsOf(child.expression).free.keys()])
    .filter((other) => other !== name)
    .map((other) => lookUp(bindings, other) ?? variable(other));
  const taken = (candidate: string) => inside.some((value) => effectsOf(value).free.has(candidate));
  if (!taken(name)) return name;
  for (let count = 2; ; count++) if (!taken(`${name}_${count}`)) return `${name}_${count}`;
}

function freshName(
  stem: string,
  expression: Expression,
  replacements: readonly (readonly [string, Expression])[],
): string {
  const all = [expression, ...replacements.map(([, value]) => value)];
  const taken = (name: string) => all.some((one) => effectsOf(one).free.has(name));
  let name = stem;
  for (let count = 2; taken(name); count++) name = `${stem}_${count}`;
  return name;
}
