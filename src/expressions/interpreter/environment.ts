import type { Json } from "../../json.ts";
import type { Expression } from "../core/ast.ts";
import { raiseLimit } from "../library/failure.ts";

/** The scope of an evaluation. */
export interface Environment {
  readonly input: Json;
  readonly variables: Variables;
  readonly functions?: FunctionScope | undefined;
  readonly labels?: LabelScope | undefined;
  readonly budget?: Budget | undefined;
}

/** The evaluations left: counted, so results are reproducible. */
export interface Budget {
  left: number;
}

/** The evaluations allowed per expression: some seconds and some hundred megabytes. */
export const maxSteps = 5_000_000;

/** Spends steps of a budget; fails with a limit error. */
export function spend(budget: Budget | undefined, steps = 1): void {
  if (budget === undefined) return;
  budget.left -= steps;
  if (budget.left < 0) raiseLimit("An expression takes too many steps.");
}

/** Values by variable. */
export interface Variables {
  get(name: string): Json | undefined;
}

/** A linked list of functions, innermost first. */
export interface FunctionScope {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly body: Expression;
  /** Undefined for a function, which sees its own definition scope. */
  readonly environment: Environment | undefined;
  readonly variables: Variables;
  readonly labels: LabelScope | undefined;
  readonly outer: FunctionScope | undefined;
}

/** A linked list of labels, innermost first. */
export interface LabelScope {
  readonly name: string;
  readonly signal: BreakSignal;
  readonly outer: LabelScope | undefined;
}

/** Thrown by `break`. */
export class BreakSignal extends Error {}

/** Extends variables by one. */
export const withVariable = (variables: Variables, name: string, value: Json): Variables => ({
  get: (wanted) => (wanted === name ? value : variables.get(wanted)),
});

/** Extends an environment by a recursive function. */
export function withFunction(
  environment: Environment,
  name: string,
  parameters: readonly string[],
  body: Expression,
): Environment {
  const { variables, labels, functions: outer } = environment;
  return { ...environment, functions: { name, parameters, body, environment: undefined, variables, labels, outer } };
}

/** Resolves a function to its body and the body's environment. */
export function resolveCall(
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

/** The signal of an enclosing label. */
export function signalOf(name: string, environment: Environment): BreakSignal {
  for (let label = environment.labels; label; label = label.outer) if (label.name === name) return label.signal;
  throw new Error(`Unknown label: ${name}`);
}
