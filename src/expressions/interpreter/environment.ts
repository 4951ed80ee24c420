import type { Json } from "../../json.ts";
import type { Expression } from "../core/ast.ts";
import { raiseLimit } from "../library/failure.ts";

/** What an expression is evaluated in: the current value `.`, the variables, and the functions and labels around it. */
export interface Environment {
  readonly input: Json;
  readonly variables: Variables;
  readonly functions?: Functions | undefined;
  readonly labels?: Labels | undefined;
  /** What may still be done; without it all that `mostSteps` allows. */
  readonly budget?: Budget | undefined;
}

/** How many expressions may still be evaluated. Counted, and not timed: so it is the same whenever the same is evaluated again. */
export interface Budget {
  left: number;
}

/** So many expressions are evaluated for the outputs of one: some seconds, and some hundred megabytes at most. */
export const mostSteps = 5_000_000;

/** Takes some steps out of a budget. */
export function spend(budget: Budget | undefined, steps = 1): void {
  if (budget === undefined) return;
  budget.left -= steps;
  if (budget.left < 0) raiseLimit("An expression takes too many steps.");
}

/** Values by variable: a `Map`, or a chain of environments. */
export interface Variables {
  get(name: string): Json | undefined;
}

/** The innermost function or parameter, and those around it. */
export interface Functions {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly body: Expression;
  /** What the body sees, but for its parameters and its input; undefined: what is here, the function itself included. */
  readonly environment: Environment | undefined;
  readonly variables: Variables;
  readonly labels: Labels | undefined;
  readonly outer: Functions | undefined;
}

/** The innermost label, and those around it. */
export interface Labels {
  readonly name: string;
  /** What ends its expression: thrown by a break, and caught by nothing else. */
  readonly signal: BreakSignal;
  readonly outer: Labels | undefined;
}

/** Thrown by a break to its label. */
export class BreakSignal extends Error {}

/** Variables with one more in front. */
export const withVariable = (variables: Variables, name: string, value: Json): Variables => ({
  get: (wanted) => (wanted === name ? value : variables.get(wanted)),
});

/** The environment with a function in front, which sees itself. */
export function withFunction(
  environment: Environment,
  name: string,
  parameters: readonly string[],
  body: Expression,
): Environment {
  const { variables, labels, functions: outer } = environment;
  return { ...environment, functions: { name, parameters, body, environment: undefined, variables, labels, outer } };
}

/** A function found by its name, and the environment that its body is evaluated in for an input and arguments written in `caller`. */
export function called(
  name: string,
  args: readonly Expression[],
  caller: Environment,
): { readonly body: Expression; readonly environment: Environment } {
  let found = caller.functions;
  while (found && found.name !== name) found = found.outer;
  if (!found) throw new Error(`Unknown function: ${name}`);
  const seen = found.environment ?? { variables: found.variables, labels: found.labels, functions: found };
  let functions = seen.functions;
  for (const [i, parameter] of found.parameters.entries()) {
    const { variables, labels } = caller;
    functions = {
      name: parameter,
      parameters: [],
      body: args[i]!,
      environment: caller,
      variables,
      labels,
      outer: functions,
    };
  }
  const { input, budget } = caller;
  return {
    body: found.body,
    environment: { input, variables: seen.variables, labels: seen.labels, functions, budget },
  };
}

/** The label of that name around a place. */
export function labelled(name: string, environment: Environment): BreakSignal {
  for (let label = environment.labels; label; label = label.outer) if (label.name === name) return label.signal;
  throw new Error(`Unknown label: ${name}`);
}
