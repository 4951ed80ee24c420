import type { Json } from "../../json.ts";
import type { Alternative, Apply, Define, Foreach, Interpolation, Label, Reduce, Try } from "../core/ast.ts";
import { isTrue } from "../library/types.ts";
import { outputs } from "./evaluate.ts";
import { EvaluationError } from "./failure.ts";
import { BreakSignal, called, labelled, type Scope, withFunction, withVariable } from "./scope.ts";
import { combine, type Stream } from "./streams.ts";

/** Without an output of the update the state is null, as in jq; and the source's input is null for all initial values but the first. */
export function* reduce(expression: Reduce, scope: Scope, depth: number): Generator<Json> {
  let outside = scope;
  for (const initial of outputs(expression.initial, scope, depth + 1)) {
    let input = initial;
    for (const value of outputs(expression.source, outside, depth + 1)) {
      const variables = withVariable(scope.variables, expression.name, value);
      input = lastOf(outputs(expression.update, { ...scope, input, variables }, depth + 1));
    }
    yield input;
    outside = { ...scope, input: null };
  }
}

function lastOf(values: Stream<Json>): Json {
  let last: Json = null;
  for (const value of values) last = value;
  return last;
}

export function* foreach(expression: Foreach, scope: Scope, depth: number): Generator<Json> {
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

export function* alternative({ left, right }: Alternative, scope: Scope, depth: number): Generator<Json> {
  let found = false;
  for (const value of outputs(left, scope, depth + 1)) {
    if (!isTrue(value)) continue;
    found = true;
    yield value;
  }
  if (!found) yield* outputs(right, scope, depth + 1);
}

/** What computes the values is inside; what is done with them is not, so that its errors pass. */
export function* attempt({ body, handler }: Try, scope: Scope, depth: number): Generator<Json> {
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

export const label = ({ name, body }: Label, scope: Scope, depth: number): Stream<Json> =>
  untilBreak(name, scope, (inside) => outputs(body, inside, depth + 1));

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

export const define = ({ name, parameters, body, rest }: Define, scope: Scope, depth: number): Stream<Json> =>
  outputs(rest, withFunction(scope, name, parameters, body), depth + 1);

/** The levels of a function's body are counted anew: how deep functions may call each other is up to the machine's stack. */
export function apply({ name, args }: Apply, scope: Scope): Stream<Json> {
  const { body, scope: inside } = called(name, args, scope);
  return outputs(body, inside, 0);
}

export function interpolation({ parts }: Interpolation, scope: Scope, depth: number): Stream<Json> {
  const expressions = parts.filter((part) => typeof part !== "string");
  const streams = expressions.map((part) => () => outputs(part, scope, depth + 1)).reverse();
  return combine(streams, (reversed) => {
    let next = reversed.length;
    return parts.map((part) => (typeof part === "string" ? part : String(reversed[--next]))).join("");
  });
}
