import { assertNever, type Json, setOwn } from "../../json.ts";
import { builtinOf, type Closure } from "../builtins/builtins.ts";
import { calculate } from "../core/arithmetic.ts";
import type { Binary, Call, Conditional, Expression, Let, Logic, ObjectConstruction, Query } from "../core/ast.ts";
import { select } from "../core/select.ts";
import type { ControlKind } from "../core/walk/control.ts";
import type { PathKind } from "../core/walk/paths.ts";
import { objectKey } from "../library/access.ts";
import { isTrue } from "../library/types.ts";
import { access, iterate, path, recurse, slice, update } from "./access.ts";
import { alternative, apply, attempt, breakTo, define, foreach, interpolation, label, reduce } from "./control.ts";
import { EvaluationError, fail } from "./failure.ts";
import { type Scope, withVariable } from "./scope.ts";
import { combine, each, type Stream } from "./streams.ts";

export type { Scope, Variables } from "./scope.ts";
export { withVariable } from "./scope.ts";

/** Expressions nested deeper than this fail with `LimitError`. */
export const deepestEvaluation = 500;

/**
 * The outputs of an expression, in order, each computed when it is asked for. Fails by throwing an `EvaluationError`. A variable without a value and an
 * unknown function are bugs of the caller and throw a plain `Error`.
 */
export function* evaluate(expression: Expression, scope: Scope): Generator<Json> {
  try {
    for (const value of outputs(expression, scope, 0)) yield settled(value);
  } catch (error) {
    throw named(error);
  }
}

/** The output of an expression that has exactly one; anything else is a bug of the caller. */
export function evaluateOne(expression: Expression, scope: Scope): Json {
  const [value, ...rest] = evaluateAll(expression, scope);
  if (value === undefined || rest.length > 0)
    throw new Error(`Expected one output, got ${value === undefined ? 0 : 1 + rest.length}.`);
  return value;
}

/** All outputs of an expression. */
export function evaluateAll(expression: Expression, scope: Scope): readonly Json[] {
  try {
    return Array.from(outputs(expression, scope, 0), settled);
  } catch (error) {
    throw named(error);
  }
}

/** A value as JSON has it, as jq prints it: numbers beyond all doubles are the largest, and what is no number is null. */
function settled(value: Json): Json {
  if (isFiniteThroughout(value)) return value;
  const whole = { value };
  const open: { [key: string]: Json }[] = [whole];
  for (let top = open.pop(); top; top = open.pop()) {
    for (const [key, inner] of Object.entries(top)) {
      if (typeof inner === "number") setOwn(top, key, settledNumber(inner));
      if (typeof inner !== "object" || inner === null) continue;
      const copy = Array.isArray(inner) ? inner.slice() : { ...inner };
      setOwn(top, key, copy);
      open.push(copy as { [key: string]: Json });
    }
  }
  return whole.value;
}

const settledNumber = (value: number): number | null =>
  Number.isNaN(value) ? null : Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value)) + 0;

/** Whether a value is one that JSON has as it is: no number in it is infinite, none at all, or a zero with a sign. */
export function isFiniteThroughout(value: Json): boolean {
  if (typeof value === "number") return isOrdinary(value);
  const open = [value];
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    if (typeof top !== "object" || top === null) continue;
    for (const inner of Object.values(top)) {
      if (typeof inner === "number" && !isOrdinary(inner)) return false;
      if (typeof inner === "object") open.push(inner);
    }
  }
  return true;
}

const isOrdinary = (value: number): boolean => Number.isFinite(value) && !Object.is(value, -0);

/** An overflow of the machine's stack or of a string is a limit like any other. */
const named = (error: unknown): unknown =>
  error instanceof RangeError
    ? new EvaluationError({ name: "LimitError", message: "An expression needs too much memory." })
    : error;

/** What an expression yields in a scope; failures are thrown when the output is asked for that is not there because of them. */
export function outputs(expression: Expression, scope: Scope, depth: number): Stream<Json> {
  if (depth > deepestEvaluation) fail("LimitError", "An expression is nested too deeply.");
  switch (expression.kind) {
    case "literal":
      return [expression.value];
    case "identity":
      return [scope.input];
    case "variable":
      return [variableValue(expression.name, scope)];
    case "array":
      return [expression.items ? [...outputs(expression.items, scope, depth + 1)] : []];
    case "query":
      return query(expression, scope, depth);
    case "object":
      return object(expression, scope, depth);
    case "pipe":
      return each(outputs(expression.left, scope, depth + 1), (input) =>
        outputs(expression.right, { ...scope, input }, depth + 1),
      );
    case "let":
      return bind(expression, scope, depth);
    case "if":
      return conditional(expression, scope, depth);
    case "call":
      return call(expression, scope, depth);
    default:
      return furtherOutputs(expression, scope, depth);
  }
}

type Further = Extract<Expression, { kind: PathKind | ControlKind | "break" | "comma" | "logic" | "binary" }>;

function furtherOutputs(expression: Further, scope: Scope, depth: number): Stream<Json> {
  switch (expression.kind) {
    case "comma":
      return comma(expression.items, scope, depth);
    case "logic":
      return logic(expression, scope, depth);
    case "binary":
      return binary(expression, scope, depth);
    case "access":
      return access(expression, scope, depth);
    case "slice":
      return slice(expression, scope, depth);
    case "iterate":
      return iterate(expression, scope, depth);
    case "recurse":
      return recurse(expression, scope, depth);
    case "path":
      return path(expression, scope, depth);
    case "update":
      return update(expression, scope, depth);
    default:
      return controlledOutputs(expression, scope, depth);
  }
}

function controlledOutputs(
  expression: Extract<Expression, { kind: ControlKind | "break" }>,
  scope: Scope,
  depth: number,
): Stream<Json> {
  switch (expression.kind) {
    case "reduce":
      return reduce(expression, scope, depth);
    case "foreach":
      return foreach(expression, scope, depth);
    case "alternative":
      return alternative(expression, scope, depth);
    case "try":
      return attempt(expression, scope, depth);
    case "label":
      return label(expression, scope, depth);
    case "break":
      return breakTo(expression.name, scope);
    case "define":
      return define(expression, scope, depth);
    case "apply":
      return apply(expression, scope);
    case "interpolation":
      return interpolation(expression, scope, depth);
    default:
      return assertNever(expression);
  }
}

function variableValue(name: string, scope: Scope): Json {
  const value = scope.variables.get(name);
  if (value === undefined) throw new Error(`Variable without a value: ${name}`);
  return value;
}

function query(expression: Query, scope: Scope, depth: number): Stream<Json> {
  const holds = (condition: Expression, input: Json) => {
    for (const value of outputs(condition, { ...scope, input }, depth + 1)) return value === true;
    return false;
  };
  return each(outputs(expression.source, scope, depth + 1), (value) => select(value, expression.segments, holds));
}

/** A key that is no string fails as soon as its member has a value, before the next member is evaluated. */
function object(expression: ObjectConstruction, scope: Scope, depth: number): Stream<Json> {
  const entries = expression.entries.map(
    ({ key, value }) =>
      () =>
        combine(closures([key, value], scope, depth), ([name, member]) => [objectKey(name!), member!]),
  );
  return combine(entries, (pairs) => {
    const result: { [key: string]: Json } = {};
    for (const pair of pairs as readonly (readonly [string, Json])[]) setOwn(result, pair[0], pair[1]);
    return result;
  });
}

function* comma(items: readonly Expression[], scope: Scope, depth: number): Generator<Json> {
  for (const item of items) yield* outputs(item, scope, depth + 1);
}

function bind(expression: Let, scope: Scope, depth: number): Stream<Json> {
  return each(outputs(expression.value, scope, depth + 1), (value) =>
    outputs(expression.body, { ...scope, variables: withVariable(scope.variables, expression.name, value) }, depth + 1),
  );
}

function conditional(expression: Conditional, scope: Scope, depth: number): Stream<Json> {
  return each(outputs(expression.condition, scope, depth + 1), (value) =>
    outputs(isTrue(value) ? expression.then : expression.otherwise, scope, depth + 1),
  );
}

function logic(expression: Logic, scope: Scope, depth: number): Stream<Json> {
  const decisive = expression.operator === "or";
  return each(outputs(expression.left, scope, depth + 1), (left) =>
    isTrue(left) === decisive
      ? [decisive]
      : each(outputs(expression.right, scope, depth + 1), (right) => [isTrue(right)]),
  );
}

/** As in jq, the right operand varies slowest. */
function binary({ operator, left, right }: Binary, scope: Scope, depth: number): Stream<Json> {
  return combine(closures([right, left], scope, depth), ([b, a]) => calculate(operator, a!, b!));
}

function call(expression: Call, scope: Scope, depth: number): Stream<Json> {
  const builtin = builtinOf(expression.name, expression.args.length);
  if (!builtin) throw new Error(`Unknown function: ${expression.name}/${expression.args.length}`);
  const args = closures(expression.args, scope, depth);
  return builtin.kind === "value" ? combine(args, (values) => builtin.apply(...values)) : builtin.apply(...args);
}

const closures = (expressions: readonly Expression[], scope: Scope, depth: number): readonly Closure[] =>
  expressions.map((expression) => () => outputs(expression, scope, depth + 1));
