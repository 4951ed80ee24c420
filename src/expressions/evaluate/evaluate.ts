import { assertNever, type Json, setOwn } from "../../json.ts";
import { builtinOf, type Closure } from "../builtins/builtins.ts";
import type {
  Access,
  Alternative,
  Binary,
  Call,
  Conditional,
  Expression,
  Interpolation,
  Iterate,
  Label,
  Let,
  Logic,
  ObjectConstruction,
  Path,
  Pipe,
  Query,
  Recurse,
  Slice,
  Try,
  Update,
} from "../core/ast.ts";
import { iterated, objectKey, valueAt } from "../library/access.ts";
import { draftOf, finished, readAt, writeAt } from "../library/draft.ts";
import { raiseLimit } from "../library/failure.ts";
import { isTrue } from "../library/types.ts";
import { EvaluationError } from "./failure.ts";
import { foreach, reduce } from "./folds.ts";
import { pathsOf } from "./paths.ts";
import { BreakSignal, called, labelled, mostSteps, type Scope, spend, withFunction, withVariable } from "./scope.ts";
import { select } from "./select.ts";
import { combine, each, firstOf, isOne, type Stream } from "./streams.ts";
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
    for (const value of outputs(expression, budgeted(scope), 0)) yield settled(value);
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
    return Array.from(outputs(expression, budgeted(scope), 0), settled);
  } catch (error) {
    throw named(error);
  }
}

/**
 * What an expression yields in a scope; failures are thrown when the output is asked for that is not there because of them. What comes last in an expression
 * is evaluated in its place, so that a function may call itself there as often as it likes: only what is within something else is deeper.
 */
export function outputs(expression: Expression, scope: Scope, depth: number): Stream<Json> {
  let last: Last = { expression, scope, depth };
  for (;;) {
    const next = outputsOrLast(last.expression, last.scope, last.depth);
    if (!("expression" in next)) return next;
    last = next;
  }
}

/** What is left of an expression to be evaluated, where all else is done. */
interface Last {
  readonly expression: Expression;
  readonly scope: Scope;
  readonly depth: number;
}

function outputsOrLast(expression: Expression, scope: Scope, depth: number): Stream<Json> | Last {
  spend(scope.budget);
  if (depth > deepestEvaluation) raiseLimit("An expression is nested too deeply.");
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
      return pipe(expression, scope, depth);
    case "let":
      return bind(expression, scope, depth);
    case "if":
      return conditional(expression, scope, depth);
    case "call":
      return call(expression, scope, depth);
    case "comma":
      return sequence(expression.items, scope, depth);
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
      return [update(expression, scope, depth)];
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
    case "define": {
      const { name, parameters, body, rest } = expression;
      return { expression: rest, scope: withFunction(scope, name, parameters, body), depth };
    }
    case "apply": {
      // The levels of a function's body are counted anew: how deep functions may call each other is up to the machine's stack.
      const { body, scope: inside } = called(expression.name, expression.args, scope);
      return { expression: body, scope: inside, depth: 0 };
    }
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
    if (!(error instanceof EvaluationError) || error.isLimit) throw error;
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

/** The scope with a budget of its own. */
const budgeted = (scope: Scope): Scope => ({ ...scope, budget: { left: mostSteps } });

/** An overflow of the machine's stack or of a string is a limit like any other. */
const named = (error: unknown): unknown =>
  error instanceof RangeError
    ? new EvaluationError({ name: "LimitError", message: "An expression needs too much memory." }, true)
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

/** The outputs of several expressions. Where the last one is such a sequence too, it goes on with that one's, and is no deeper for it. */
interface Sequence extends Stream<Json> {
  readonly items: readonly Expression[];
  readonly scope: Scope;
  readonly depth: number;
}

function sequence(items: readonly Expression[], scope: Scope, depth: number): Sequence {
  const made: Sequence = { items, scope, depth, [Symbol.iterator]: () => inSequence(made) };
  return made;
}

function* inSequence(first: Sequence): Generator<Json> {
  let rest: Sequence | undefined = first;
  while (rest) {
    const { items, scope, depth }: Sequence = rest;
    rest = undefined;
    for (const [i, item] of items.entries()) {
      const values = outputs(item, scope, depth + 1);
      if (i === items.length - 1 && isSequence(values)) rest = values;
      else yield* values;
    }
  }
}

const isSequence = (values: Stream<Json>): values is Sequence => "items" in values;

const pipe = ({ left, right }: Pipe, scope: Scope, depth: number): Stream<Json> | Last =>
  eachOrLast(outputs(left, scope, depth + 1), (input) => ({ expression: right, scope: { ...scope, input }, depth }));

const bind = ({ name, value, body }: Let, scope: Scope, depth: number): Stream<Json> | Last =>
  eachOrLast(outputs(value, scope, depth + 1), (bound) => ({
    expression: body,
    scope: { ...scope, variables: withVariable(scope.variables, name, bound) },
    depth,
  }));

const conditional = (expression: Conditional, scope: Scope, depth: number): Stream<Json> | Last =>
  eachOrLast(outputs(expression.condition, scope, depth + 1), (value) => ({
    expression: isTrue(value) ? expression.then : expression.otherwise,
    scope,
    depth,
  }));

/** What is to be evaluated for each value; where there is just one, what is left. */
function eachOrLast(values: Stream<Json>, use: (value: Json) => Last): Stream<Json> | Last {
  if (isOne(values)) return use(values[0]!);
  return each(values, (value) => {
    const { expression, scope, depth } = use(value);
    return outputs(expression, scope, depth + 1);
  });
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
  if (builtin.kind === "value") return combine(args, (values) => builtin.apply(...values));
  return builtin.isEndless ? counted(builtin.apply(...args), scope) : builtin.apply(...args);
}

/** What is made without anything being evaluated for it: each output is a step. */
function* counted(values: Iterable<Json>, { budget }: Scope): Generator<Json> {
  for (const value of values) {
    spend(budget);
    yield value;
  }
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

/** The places are those of the input as it was; each is given a new value in what the places before it have made of it. `owned`: as for drafts. */
export function update({ path: where, value }: Update, scope: Scope, depth: number, owned?: Set<Json>): Json {
  const draft = draftOf(scope.input, owned);
  const deleted: Json[] = [];
  for (const at of pathsOf(where, scope, depth + 1)) {
    const [replacement] = firstOf(outputs(value, { ...scope, input: readAt(draft, at) }, depth + 1));
    if (replacement === undefined) deleted.push(at);
    else writeAt(draft, at, replacement);
  }
  return deleted.length === 0 ? draft.root : finished(draft, deleted);
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
    if (!(error instanceof EvaluationError) || error.isLimit) throw error;
    failure = error;
  }
  if (handler) yield* outputs(handler, { ...scope, input: failure.value }, depth + 1);
}

const label = ({ name, body }: Label, scope: Scope, depth: number): Stream<Json> =>
  untilBreak(name, scope, (inside) => outputs(body, inside, depth + 1));

function interpolation({ parts }: Interpolation, scope: Scope, depth: number): Stream<Json> {
  const expressions = parts.filter((part) => typeof part !== "string");
  const streams = expressions.map((part) => () => outputs(part, scope, depth + 1)).reverse();
  return combine(streams, (reversed) => {
    let next = reversed.length;
    return parts.map((part) => (typeof part === "string" ? part : String(reversed[--next]))).join("");
  });
}
