import { assertNever, type Json, setOwn } from "../../json.ts";
import { builtinOf, type Closure } from "../builtins/builtins.ts";
import type {
  Access,
  Call,
  DialectProgram,
  Expression,
  Form,
  Iterate,
  Logic,
  ObjectConstruction,
  Pipe,
  Query,
  Recurse,
  Update,
} from "../core/ast.ts";
import { select } from "../core/select.ts";
import { combine, each, firstOf, isOne, type Stream } from "../core/streams.ts";
import { formOf, isBinary } from "../core/views.ts";
import { elementsOf, objectKey, valueAt } from "../library/access.ts";
import { draftOf, finishDraft, readAt, writeAt } from "../library/draft.ts";
import { EvaluationError, raiseLimit } from "../library/failure.ts";
import { toJsonValue } from "../library/json-value.ts";
import { isTrue } from "../library/types.ts";
import { alternativeOutputs, labelOutputs, type PartEvaluator, results, type TailCall, tryOutputs } from "./control.ts";
import { type Environment, maxSteps, resolveCall, signalOf, spend } from "./environment.ts";
import { fold } from "./folds.ts";
import { pathsOf } from "./paths.ts";

export type { Environment, Variables } from "./environment.ts";
export { withVariable } from "./environment.ts";

/** The maximum nesting of expressions. */
export const maxDepth = 500;

/** Evaluates lazily: an error is thrown when the output that fails is pulled. Failures are `EvaluationError`s. */
export function* evaluate(expression: Expression, environment: Environment): Generator<Json> {
  try {
    for (const value of outputs(expression, withBudget(environment), 0)) yield toJsonValue(value);
  } catch (error) {
    throw toEvaluationError(error);
  }
}

/** Evaluates an expression with exactly one output. */
export function evaluateOne(expression: Expression, environment: Environment): Json {
  const [value, ...rest] = evaluateAll(expression, environment);
  if (value === undefined || rest.length > 0)
    throw new Error(`Expected one output, got ${value === undefined ? 0 : 1 + rest.length}.`);
  return value;
}

/** Evaluates an expression eagerly. */
export function evaluateAll(expression: Expression, environment: Environment): readonly Json[] {
  try {
    return Array.from(outputs(expression, withBudget(environment), 0), toJsonValue);
  } catch (error) {
    throw toEvaluationError(error);
  }
}

/** Evaluates within an enclosing evaluation. Tail positions run in this loop, so tail calls add no depth. */
export function outputs(expression: Expression, environment: Environment, depth: number): Stream<Json> {
  let last: TailCall = { expression, environment, depth };
  for (;;) {
    const next = step(last.expression, last.environment, last.depth);
    if (!("expression" in next)) return next;
    last = next;
  }
}

function step(expression: Expression, environment: Environment, depth: number): Stream<Json> | TailCall {
  spend(environment.budget);
  if (depth > maxDepth) raiseLimit("An expression is nested too deeply.");
  switch (expression.kind) {
    case "literal":
      return [expression.value];
    case "identity":
      return [environment.input];
    case "variable":
      return [variableValue(expression.name, environment)];
    case "array":
      return [expression.items ? [...outputs(expression.items, environment, depth + 1)] : []];
    case "query":
      return query(expression, environment, depth);
    case "object":
      return object(expression, environment, depth);
    case "pipe":
      return pipe(expression, environment, depth);
    case "let":
    case "if":
    case "define":
      return tailOrEach(results(expression, environment, depth));
    case "call":
      return call(expression, environment, depth);
    case "comma":
      return commaOutputs(expression.items, environment, depth);
    case "access":
      return access(expression, environment, depth);
    case "iterate":
      return iterate(expression, environment, depth);
    case "fold":
      return fold(expression, environment, depth);
    case "try":
      return tryOutputs(expression, environment, depth, byValue);
    case "label":
      return labelOutputs(expression, environment, depth, byValue);
    case "break":
      throw signalOf(expression.name, environment);
    case "dialect":
      return dialectOutputs(expression, environment, depth);
    default:
      return assertNever(expression);
  }
}

/** Runs `use`; if `optional`, errors yield nothing. */
export function suppressErrors<T>(optional: boolean, use: () => Stream<T>): Stream<T> {
  if (!optional) return use();
  try {
    return use();
  } catch (error) {
    if (!(error instanceof EvaluationError) || error.isLimit) throw error;
    return [];
  }
}

/** A value and its descendants, depth first, with an explicit stack. */
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

/** Evaluates parts to values. */
const byValue: PartEvaluator<Environment, Json> = {
  evaluate: outputs,
  valueOf: (value) => value,
  withFailure: (environment, input) => ({ ...environment, input }),
};

const withBudget = (environment: Environment): Environment => ({ ...environment, budget: { left: maxSteps } });

/** Stack overflows and strings that are too long are limit errors. */
const toEvaluationError = (error: unknown): unknown =>
  error instanceof RangeError
    ? new EvaluationError({ name: "LimitError", message: "An expression needs too much memory." }, true)
    : error;

function variableValue(name: string, environment: Environment): Json {
  const value = environment.variables.get(name);
  if (value === undefined) throw new Error(`Variable without a value: ${name}`);
  return value;
}

function query(expression: Query, environment: Environment, depth: number): Stream<Json> {
  const holds = (condition: Expression, input: Json) => {
    for (const value of outputs(condition, { ...environment, input }, depth + 1)) return value === true;
    return false;
  };
  return each(outputs(expression.source, environment, depth + 1), (value) => select(value, expression.segments, holds));
}

/** A key that is not a string fails before the next member. */
function object(expression: ObjectConstruction, environment: Environment, depth: number): Stream<Json> {
  const entries = expression.entries.map(
    ({ key, value }) =>
      () =>
        combine(closures([key, value], environment, depth), ([name, member]) => [objectKey(name!), member!]),
  );
  return combine(entries, (pairs) => {
    const result: { [key: string]: Json } = {};
    for (const pair of pairs as readonly (readonly [string, Json])[]) setOwn(result, pair[0], pair[1]);
    return result;
  });
}

/** A comma in tail position continues the loop instead of nesting generators. */
interface CommaOutputs extends Stream<Json> {
  readonly items: readonly Expression[];
  readonly environment: Environment;
  readonly depth: number;
}

function commaOutputs(items: readonly Expression[], environment: Environment, depth: number): CommaOutputs {
  const made: CommaOutputs = { items, environment, depth, [Symbol.iterator]: () => flattenCommas(made) };
  return made;
}

function* flattenCommas(first: CommaOutputs): Generator<Json> {
  let rest: CommaOutputs | undefined = first;
  while (rest) {
    const { items, environment, depth }: CommaOutputs = rest;
    rest = undefined;
    for (const [i, item] of items.entries()) {
      const values = outputs(item, environment, depth + 1);
      if (i === items.length - 1 && isCommaOutputs(values)) rest = values;
      else yield* values;
    }
  }
}

const isCommaOutputs = (values: Stream<Json>): values is CommaOutputs => "items" in values;

const pipe = ({ left, right }: Pipe, environment: Environment, depth: number): Stream<Json> | TailCall =>
  tailOrEach(
    each(outputs(left, environment, depth + 1), (input) => [
      { expression: right, environment: { ...environment, input }, depth },
    ]),
  );

const tailOrEach = (parts: Stream<TailCall>): Stream<Json> | TailCall =>
  isOne(parts)
    ? parts[0]!
    : each(parts, ({ expression, environment, depth }) => outputs(expression, environment, depth + 1));

function logic({ name, args: [left, right] }: Logic, environment: Environment, depth: number): Stream<Json> {
  const decisive = name === "or";
  return each(outputs(left, environment, depth + 1), (first) =>
    isTrue(first) === decisive ? [decisive] : each(outputs(right, environment, depth + 1), (last) => [isTrue(last)]),
  );
}

function dialectOutputs(program: DialectProgram, environment: Environment, depth: number): Stream<Json> {
  const { dialect, inputs } = program;
  const values = inputs.map(({ value }) => value);
  const combinations = combine(closures(values, environment, depth), (combination) => [...combination]);
  return each(combinations, (combination) => {
    const given = combination as readonly Json[];
    const named = new Map(inputs.map(({ name }, i) => [name, given[i]!]));
    return chargeOutputs(dialect.evaluate(program, named), environment);
  });
}

function call(expression: Call, environment: Environment, depth: number): Stream<Json> | TailCall {
  if (expression.isLocal) {
    // Depth restarts here: only the JavaScript stack limits call depth.
    const { body, environment: inside } = resolveCall(expression.name, expression.args, environment);
    return { expression: body, environment: inside, depth: 0 };
  }
  const builtin = builtinOf(expression.name, expression.args.length);
  if (!builtin) throw new Error(`Unknown function: ${expression.name}/${expression.args.length}`);
  if (builtin.kind === "form") return formOutputs(formOf(expression)!, environment, depth);
  const args = closures(expression.args, environment, depth);
  if (builtin.kind === "value")
    return isBinary(expression)
      ? combine(args.toReversed(), ([right, left]) => builtin.apply(left!, right!))
      : combine(args, (values) => builtin.apply(...values));
  return builtin.isEndless ? chargeOutputs(builtin.apply(...args), environment) : builtin.apply(...args);
}

function formOutputs(form: Form, environment: Environment, depth: number): Stream<Json> {
  switch (form.name) {
    case "and":
    case "or":
      return logic(form, environment, depth);
    case "alternative":
      return alternativeOutputs(form, environment, depth, byValue);
    case "recurse":
      return recurse(form, environment, depth);
    case "path":
      return pathsOf(form.args[0], environment, depth + 1);
    case "update":
      return [update(form, environment, depth)];
    default:
      return assertNever(form);
  }
}

/** Charges outputs that evaluate nothing. */
function* chargeOutputs(values: Iterable<Json>, { budget }: Environment): Generator<Json> {
  for (const value of values) {
    spend(budget);
    yield value;
  }
}

/** Closures of arguments. */
export const closures = (
  expressions: readonly Expression[],
  environment: Environment,
  depth: number,
): readonly Closure[] => expressions.map((expression) => () => outputs(expression, environment, depth + 1));

/** Keys are evaluated first, so they vary slowest. */
const access = ({ source, key, optional }: Access, environment: Environment, depth: number): Stream<Json> =>
  each(outputs(key, environment, depth + 1), (at) =>
    each(outputs(source, environment, depth + 1), (value) => suppressErrors(optional, () => [valueAt(value, at)])),
  );

const iterate = ({ source, optional }: Iterate, environment: Environment, depth: number): Stream<Json> =>
  each(outputs(source, environment, depth + 1), (value) => suppressErrors(optional, () => elementsOf(value)));

const recurse = ({ args: [body] }: Recurse, environment: Environment, depth: number): Stream<Json> =>
  descend(environment.input, (input) => outputs(body, { ...environment, input }, depth + 1));

/** Paths refer to the original input, values to the result of earlier updates. `owned`: see `Draft`. */
export function update(
  { args: [where, value] }: Update,
  environment: Environment,
  depth: number,
  owned?: Set<Json>,
): Json {
  const draft = draftOf(environment.input, owned);
  const deleted: Json[] = [];
  for (const at of pathsOf(where, environment, depth + 1)) {
    const [replacement] = firstOf(outputs(value, { ...environment, input: readAt(draft, at) }, depth + 1));
    if (replacement === undefined) deleted.push(at);
    else writeAt(draft, at, replacement);
  }
  return deleted.length === 0 ? draft.root : finishDraft(draft, deleted);
}
