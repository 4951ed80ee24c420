import { assertNever, type Json, setOwn } from "../../json.ts";
import { builtinOf, type Closure } from "../builtins/builtins.ts";
import type {
  Access,
  Alternative,
  Apply,
  Binary,
  Call,
  Conditional,
  Define,
  Expression,
  Foreach,
  Interpolation,
  Iterate,
  Label,
  Let,
  Logic,
  ObjectConstruction,
  Path,
  Query,
  Recurse,
  Reduce,
  Slice,
  Try,
  Update,
} from "../core/ast.ts";
import { iterated, objectKey, valueAt } from "../library/access.ts";
import { draftOf, finished, readAt, writeAt } from "../library/draft.ts";
import { isTrue } from "../library/types.ts";
import { EvaluationError, fail } from "./failure.ts";
import { pathsOf } from "./paths.ts";
import { BreakSignal, called, labelled, type Scope, withFunction, withVariable } from "./scope.ts";
import { select } from "./select.ts";
import { combine, each, firstOf, type Stream } from "./streams.ts";
import { calculate, settled } from "./values.ts";

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

/** What a slice is taken under, as jq has it in paths too: `{"start": …, "end": …}`. */
export const boundsOf = ({ from, upTo }: Slice, scope: Scope, depth: number): Stream<Json> =>
  each(from ? outputs(from, scope, depth + 1) : [null], (start) =>
    each(upTo ? outputs(upTo, scope, depth + 1) : [null], (end): Stream<Json> => [{ start, end }]),
  );

/** What is made of a value; nothing where that fails and may fail. */
export function permitting<T>(optional: boolean, use: () => Stream<T>): Stream<T> {
  if (!optional) return use();
  try {
    return use();
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return [];
  }
}

/** A value and all that comes from it, depth first; on a stack of its own, since there is no limit to how deep that goes. */
export function* descend<T>(root: T, next: (value: T) => Stream<T>): Generator<T> {
  yield root;
  const open = [next(root)[Symbol.iterator]()];
  try {
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const { done, value } = top.next();
      if (done) {
        open.pop();
        continue;
      }
      yield value;
      open.push(next(value)[Symbol.iterator]());
    }
  } finally {
    for (const iterator of open.reverse()) iterator.return?.();
  }
}

/** What is computed inside a label, until it breaks to it. */
export function* untilBreak<T>(name: string, scope: Scope, compute: (inside: Scope) => Stream<T>): Generator<T> {
  const signal = new BreakSignal(name);
  try {
    yield* compute({ ...scope, labels: { name, signal, outer: scope.labels } });
  } catch (error) {
    if (error !== signal) throw error;
  }
}

/** Ends the label of that name. */
export function breakTo(name: string, scope: Scope): never {
  throw labelled(name, scope);
}

/** An overflow of the machine's stack or of a string is a limit like any other. */
const named = (error: unknown): unknown =>
  error instanceof RangeError
    ? new EvaluationError({ name: "LimitError", message: "An expression needs too much memory." })
    : error;

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

/** The keys are evaluated first: they vary slowest. */
const access = ({ source, key, optional }: Access, scope: Scope, depth: number): Stream<Json> =>
  each(outputs(key, scope, depth + 1), (at) =>
    each(outputs(source, scope, depth + 1), (value) => permitting(optional, () => [valueAt(value, at)])),
  );

const slice = (expression: Slice, scope: Scope, depth: number): Stream<Json> =>
  each(boundsOf(expression, scope, depth), (bounds) =>
    each(outputs(expression.source, scope, depth + 1), (value) =>
      permitting(expression.optional, () => [valueAt(value, bounds)]),
    ),
  );

const iterate = ({ source, optional }: Iterate, scope: Scope, depth: number): Stream<Json> =>
  each(outputs(source, scope, depth + 1), (value) => permitting(optional, () => iterated(value)));

const recurse = ({ body }: Recurse, scope: Scope, depth: number): Stream<Json> =>
  descend(scope.input, (input) => outputs(body, { ...scope, input }, depth + 1));

const path = ({ body }: Path, scope: Scope, depth: number): Stream<Json> => pathsOf(body, scope, depth + 1);

/** The places are those of the input as it was; each is given a new value in what the places before it have made of it. */
function update({ path: where, value }: Update, scope: Scope, depth: number): Stream<Json> {
  const draft = draftOf(scope.input);
  const deleted: Json[] = [];
  for (const at of pathsOf(where, scope, depth + 1)) {
    const [replacement] = firstOf(outputs(value, { ...scope, input: readAt(draft, at) }, depth + 1));
    if (replacement === undefined) deleted.push(at);
    else writeAt(draft, at, replacement);
  }
  return [finished(draft, deleted)];
}

/** Without an output of the update the state is null, as in jq; and the source's input is null for all initial values but the first. */
function* reduce(expression: Reduce, scope: Scope, depth: number): Generator<Json> {
  let outside = scope;
  for (const initial of outputs(expression.initial, scope, depth + 1)) {
    let input = initial;
    for (const value of outputs(expression.source, outside, depth + 1)) {
      const variables = withVariable(scope.variables, expression.name, value);
      input = lastState(outputs(expression.update, { ...scope, input, variables }, depth + 1));
    }
    yield input;
    outside = { ...scope, input: null };
  }
}

function lastState(values: Stream<Json>): Json {
  let last: Json = null;
  for (const value of values) last = value;
  return last;
}

function* foreach(expression: Foreach, scope: Scope, depth: number): Generator<Json> {
  for (const initial of outputs(expression.initial, scope, depth + 1)) {
    let input = initial;
    for (const value of outputs(expression.source, scope, depth + 1)) {
      const inside = { ...scope, variables: withVariable(scope.variables, expression.name, value) };
      const states = outputs(expression.update, { ...inside, input }, depth + 1);
      input = null;
      for (const state of states) {
        input = state;
        yield* outputs(expression.extract, { ...inside, input }, depth + 1);
      }
    }
  }
}

function* alternative({ left, right }: Alternative, scope: Scope, depth: number): Generator<Json> {
  let found = false;
  for (const value of outputs(left, scope, depth + 1)) {
    if (!isTrue(value)) continue;
    found = true;
    yield value;
  }
  if (!found) yield* outputs(right, scope, depth + 1);
}

/** What computes the values is inside; what is done with them is not, so that its errors pass. */
function* attempt({ body, handler }: Try, scope: Scope, depth: number): Generator<Json> {
  let failure: EvaluationError;
  try {
    yield* outputs(body, scope, depth + 1);
    return;
  } catch (error) {
    if (!handler && error instanceof BreakSignal) return;
    if (!(error instanceof EvaluationError)) throw error;
    failure = error;
  }
  if (handler) yield* outputs(handler, { ...scope, input: failure.value }, depth + 1);
}

const label = ({ name, body }: Label, scope: Scope, depth: number): Stream<Json> =>
  untilBreak(name, scope, (inside) => outputs(body, inside, depth + 1));

const define = ({ name, parameters, body, rest }: Define, scope: Scope, depth: number): Stream<Json> =>
  outputs(rest, withFunction(scope, name, parameters, body), depth + 1);

/** The levels of a function's body are counted anew: how deep functions may call each other is up to the machine's stack. */
function apply({ name, args }: Apply, scope: Scope): Stream<Json> {
  const { body, scope: inside } = called(name, args, scope);
  return outputs(body, inside, 0);
}

function interpolation({ parts }: Interpolation, scope: Scope, depth: number): Stream<Json> {
  const expressions = parts.filter((part) => typeof part !== "string");
  const streams = expressions.map((part) => () => outputs(part, scope, depth + 1)).reverse();
  return combine(streams, (reversed) => {
    let next = reversed.length;
    return parts.map((part) => (typeof part === "string" ? part : String(reversed[--next]))).join("");
  });
}
