import { assertNever, type Json, setOwn } from "../json.ts";
import { calculate } from "./arithmetic.ts";
import type {
  ArrayConstruction,
  Binary,
  Call,
  Conditional,
  Expression,
  Identity,
  Let,
  Literal,
  Logic,
  ObjectConstruction,
  Query,
  Reduce,
  Variable,
} from "./ast.ts";
import { builtinOf, type Closure } from "./builtins.ts";
import { isTruthy, typeName } from "./compare.ts";
import { EvaluationError, fail } from "./failure.ts";
import { select } from "./select.ts";

/** What an expression is evaluated in: the current value `.` and the variables. */
export interface Scope {
  readonly input: Json;
  readonly variables: Variables;
}

/** Values by variable: a `Map`, or a chain of scopes. */
export interface Variables {
  get(name: string): Json | undefined;
}

/** Expressions nested deeper than this fail with `LimitError`. */
export const deepestEvaluation = 500;

/**
 * The outputs of an expression, in order, each computed when it is asked for. Fails by throwing an `EvaluationError`. A variable without a value and an
 * unknown function are bugs of the caller and throw a plain `Error`.
 */
export function* evaluate(expression: Expression, scope: Scope): Generator<Json> {
  try {
    yield* outputs(expression, scope, 0);
  } catch (error) {
    throw named(error);
  }
}

/** The output of an expression that has exactly one; anything else is a bug of the caller. */
export function evaluateOne(expression: Expression, scope: Scope): Json {
  const [value, ...rest] = evaluateAll(expression, scope);
  if (value === undefined || rest.length > 0) throw new Error(`Expected one output, got ${value === undefined ? 0 : 1 + rest.length}.`);
  return value;
}

/** All outputs of an expression. */
export function evaluateAll(expression: Expression, scope: Scope): readonly Json[] {
  try {
    return [...outputs(expression, scope, 0)];
  } catch (error) {
    throw named(error);
  }
}

/** Variables with one more in front. */
export const withVariable = (variables: Variables, name: string, value: Json): Variables => ({
  get: (wanted) => (wanted === name ? value : variables.get(wanted)),
});

/** An overflow of the machine's stack or of a string is a limit like any other. */
const named = (error: unknown): unknown =>
  error instanceof RangeError ? new EvaluationError({ name: "LimitError", message: "An expression needs too much memory." }) : error;

/** An array of one where that is known at once, so that the common case needs no generators. */
function outputs(expression: Expression, scope: Scope, depth: number): Iterable<Json> {
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
    default:
      return computed(expression, scope, depth);
  }
}

/** What is made of parts with outputs of their own. */
type Compound = Exclude<Expression, Literal | Identity | Variable | ArrayConstruction>;

function computed(expression: Compound, scope: Scope, depth: number): Iterable<Json> {
  switch (expression.kind) {
    case "query":
      return query(expression, scope, depth);
    case "object":
      return object(expression, scope, depth);
    case "comma":
      return comma(expression.items, scope, depth);
    case "pipe":
      return each(outputs(expression.left, scope, depth + 1), (input) => outputs(expression.right, { ...scope, input }, depth + 1));
    case "let":
      return bind(expression, scope, depth);
    case "if":
      return conditional(expression, scope, depth);
    case "logic":
      return logic(expression, scope, depth);
    case "binary":
      return binary(expression, scope, depth);
    case "reduce":
      return reduce(expression, scope, depth);
    case "call":
      return call(expression, scope, depth);
    default:
      return assertNever(expression);
  }
}

function variableValue(name: string, scope: Scope): Json {
  const value = scope.variables.get(name);
  if (value === undefined) throw new Error(`Variable without a value: ${name}`);
  return value;
}

function query(expression: Query, scope: Scope, depth: number): Iterable<Json> {
  const holds = (condition: Expression, input: Json) => {
    for (const value of outputs(condition, { ...scope, input }, depth + 1)) return value === true;
    return false;
  };
  return each(outputs(expression.source, scope, depth + 1), (value) => select(value, expression.segments, holds));
}

/** A key that is no string fails as soon as its member has a value, before the next member is evaluated. */
function object(expression: ObjectConstruction, scope: Scope, depth: number): Iterable<Json> {
  const entries = expression.entries.map(
    ({ key, value }) =>
      () =>
        combine(closures([key, value], scope, depth), checkedEntry),
  );
  return combine(entries, (pairs) => {
    const result: { [key: string]: Json } = {};
    for (const pair of pairs as readonly (readonly [string, Json])[]) setOwn(result, pair[0], pair[1]);
    return result;
  });
}

function checkedEntry(entry: readonly Json[]): Json {
  const key = entry[0]!;
  return typeof key === "string" ? entry : fail("ExpressionError", `A value of type ${typeName(key)} cannot be the key of an object.`);
}

function* comma(items: readonly Expression[], scope: Scope, depth: number): Generator<Json> {
  for (const item of items) yield* outputs(item, scope, depth + 1);
}

function bind(expression: Let, scope: Scope, depth: number): Iterable<Json> {
  return each(outputs(expression.value, scope, depth + 1), (value) =>
    outputs(expression.body, { ...scope, variables: withVariable(scope.variables, expression.name, value) }, depth + 1),
  );
}

function conditional(expression: Conditional, scope: Scope, depth: number): Iterable<Json> {
  return each(outputs(expression.condition, scope, depth + 1), (value) =>
    outputs(isTruthy(value) ? expression.then : expression.otherwise, scope, depth + 1),
  );
}

function logic(expression: Logic, scope: Scope, depth: number): Iterable<Json> {
  const decisive = expression.operator === "or";
  return each(outputs(expression.left, scope, depth + 1), (left) =>
    isTruthy(left) === decisive ? [decisive] : each(outputs(expression.right, scope, depth + 1), (right) => [isTruthy(right)]),
  );
}

/** As in jq, the right operand varies slowest. */
function binary({ operator, left, right }: Binary, scope: Scope, depth: number): Iterable<Json> {
  return combine(closures([right, left], scope, depth), ([b, a]) => calculate(operator, a!, b!));
}

function* reduce(expression: Reduce, scope: Scope, depth: number): Generator<Json> {
  for (const initial of outputs(expression.initial, scope, depth + 1)) {
    let input = initial;
    for (const value of outputs(expression.source, scope, depth + 1)) {
      const variables = withVariable(scope.variables, expression.name, value);
      input = [...outputs(expression.update, { input, variables }, depth + 1)].at(-1) ?? null;
    }
    yield input;
  }
}

function call(expression: Call, scope: Scope, depth: number): Iterable<Json> {
  const builtin = builtinOf(expression.name, expression.args.length);
  if (!builtin) throw new Error(`Unknown function: ${expression.name}/${expression.args.length}`);
  const args = closures(expression.args, scope, depth);
  return builtin.kind === "value" ? combine(args, (values) => builtin.apply(...values)) : builtin.apply(...args);
}

const closures = (expressions: readonly Expression[], scope: Scope, depth: number): readonly Closure[] =>
  expressions.map((expression) => () => outputs(expression, scope, depth + 1));

/** `use` for every combination of outputs, the first varying slowest. */
function combine(streams: readonly Closure[], use: (values: readonly Json[]) => Json, chosen: readonly Json[] = []): Iterable<Json> {
  const values = [...chosen];
  while (values.length < streams.length) {
    const next = streams[values.length]!();
    if (!isOne(next)) return each(next, (value) => combine(streams, use, [...values, value]));
    values.push(next[0]!);
  }
  return [use(values)];
}

function each(values: Iterable<Json>, use: (value: Json) => Iterable<Json>): Iterable<Json> {
  return isOne(values) ? use(values[0]!) : flatten(values, use);
}

function* flatten(values: Iterable<Json>, use: (value: Json) => Iterable<Json>): Generator<Json> {
  for (const value of values) yield* use(value);
}

const isOne = (values: Iterable<Json>): values is readonly Json[] => Array.isArray(values) && values.length === 1;
