import type { Json } from "../../json.ts";
import type { Alternative, Conditional, Define, Expression, Label, Let, Try } from "../core/ast.ts";
import { each, type Stream } from "../core/streams.ts";
import { EvaluationError } from "../library/failure.ts";
import { isTrue } from "../library/types.ts";
import { BreakSignal, type Environment, signalOf, withFunction, withVariable } from "./environment.ts";
import { outputs } from "./evaluate.ts";

/** Evaluates parts of an expression, to values or to values with paths. */
export interface PartEvaluator<E extends Environment, T> {
  evaluate(part: Expression, environment: E, depth: number): Stream<T>;
  valueOf(output: T): Json;
  /** The environment of the handler of an error. */
  withFailure(environment: E, failure: Json): E;
}

/** An expression in its environment. */
export interface TailCall<E extends Environment = Environment> {
  readonly expression: Expression;
  readonly environment: E;
  readonly depth: number;
}

/** The outputs of an expression that consist of those of its parts; undefined for other expressions. */
export function controlOutputs<E extends Environment, T>(
  expression: Expression,
  environment: E,
  depth: number,
  parts: PartEvaluator<E, T>,
): Stream<T> | undefined {
  switch (expression.kind) {
    case "comma":
      return each(expression.items, (item) => parts.evaluate(item, environment, depth + 1));
    case "let":
    case "if":
    case "define":
      return each(results(expression, environment, depth), (result) =>
        parts.evaluate(result.expression, result.environment, depth + 1),
      );
    case "try":
      return tryOutputs(expression, environment, depth, parts);
    case "label":
      return labelOutputs(expression, environment, depth, parts);
    case "break":
      throw signalOf(expression.name, environment);
    default:
      return undefined;
  }
}

/** The parts whose outputs are those of the expression: the body, or the branch for each output of the condition. */
export function results<E extends Environment>(
  expression: Let | Conditional | Define,
  environment: E,
  depth: number,
): Stream<TailCall<E>> {
  switch (expression.kind) {
    case "let":
      return each(outputs(expression.value, environment, depth + 1), (value) => {
        const variables = withVariable(environment.variables, expression.name, value);
        return [{ expression: expression.body, environment: { ...environment, variables }, depth }];
      });
    case "if":
      return each(outputs(expression.condition, environment, depth + 1), (value) => [
        { expression: isTrue(value) ? expression.then : expression.otherwise, environment, depth },
      ]);
    case "define": {
      const { functions } = withFunction(environment, expression.name, expression.parameters, expression.body);
      return [{ expression: expression.rest, environment: { ...environment, functions }, depth }];
    }
  }
}

/** The consumer runs outside of the generator, so its errors pass through. */
export function* tryOutputs<E extends Environment, T>(
  { body, handler }: Try,
  environment: E,
  depth: number,
  parts: PartEvaluator<E, T>,
): Generator<T> {
  let failure: EvaluationError;
  try {
    yield* parts.evaluate(body, environment, depth + 1);
    return;
  } catch (error) {
    if (!handler && error instanceof BreakSignal) return;
    if (!(error instanceof EvaluationError) || error.isLimit) throw error;
    failure = error;
  }
  if (handler) yield* parts.evaluate(handler, parts.withFailure(environment, failure.value), depth + 1);
}

/** Evaluates the body until it breaks to the label. */
export function* labelOutputs<E extends Environment, T>(
  { name, body }: Label,
  environment: E,
  depth: number,
  parts: PartEvaluator<E, T>,
): Generator<T> {
  const signal = new BreakSignal(name);
  try {
    yield* parts.evaluate(body, { ...environment, labels: { name, signal, outer: environment.labels } }, depth + 1);
  } catch (error) {
    if (error !== signal) throw error;
  }
}

/** The true outputs of the left side, otherwise those of the right side. */
export function* alternativeOutputs<E extends Environment, T>(
  { args: [left, right] }: Alternative,
  environment: E,
  depth: number,
  parts: PartEvaluator<E, T>,
): Generator<T> {
  let found = false;
  for (const output of parts.evaluate(left, environment, depth + 1)) {
    if (!isTrue(parts.valueOf(output))) continue;
    found = true;
    yield output;
  }
  if (!found) yield* parts.evaluate(right, environment, depth + 1);
}
