import { type Expression, factsOf, object, simplify, substitute, variable } from "../../../src/expressions/index.ts";
import { failedElsewhere, refusals } from "../jsonata/index.ts";

/** Names of what Step Functions itself provides, as variables of expressions. No variable of a workflow has a quote in its name. */
export const provided = {
  input: "input'",
  result: "result'",
  errorOrigin: "error origin'",
  errorName: "error name'",
  errorMessage: "error message'",
  errorData: "error data'",
  element: "element'",
  index: "index'",
  uuid: "uuid'",
  now: "now'",
  run: "run'",
  failed: "failed'",
  failureName: failedElsewhere.name,
  failureMessage: failedElsewhere.message,
  computed: "computed'",
} as const;

/**
 * What variables are worth at one point, as expressions over what is there when a state is entered: first what has changed since, then what
 * the scope has, then the scopes around it.
 */
export interface Symbols {
  readonly own: ReadonlyMap<string, Expression>;
  readonly outer: Symbols | undefined;
  /** Whether `own` holds what has changed, not what a scope has. */
  readonly changing: boolean;
}

/** What a variable is worth; undefined where no scope has it. */
export function worth(symbols: Symbols, name: string): Expression | undefined {
  for (let layer: Symbols | undefined = symbols; layer; layer = layer.outer) {
    const value = layer.own.get(name);
    if (value) return value;
  }
  return undefined;
}

/** An expression over variables, as one over what is there. */
export function resolve(expression: Expression, symbols: Symbols): Expression {
  const replacements = new Map<string, Expression>();
  for (const name of factsOf(expression).free.keys()) {
    const value = worth(symbols, name);
    if (value) replacements.set(name, value);
  }
  return simplify(substitute(expression, replacements));
}

/** The symbols after variables have been given new values, all computed from the old ones. */
export function assign(
  symbols: Symbols,
  values: readonly { readonly variable: string; readonly value: Expression }[],
): Symbols {
  return withValues(symbols, new Map(values.map(({ variable: name, value }) => [name, resolve(value, symbols)])));
}

/** The symbols with some variables standing for expressions that are there. */
export const withValues = (symbols: Symbols, values: ReadonlyMap<string, Expression>): Symbols =>
  symbols.changing
    ? { ...symbols, own: new Map([...symbols.own, ...values]) }
    : { own: values, outer: symbols, changing: true };

/** What the variables of a scope are worth, in front of those of the scope around it. */
export const inScope = (own: ReadonlyMap<string, Expression>, outer: Symbols | undefined): Symbols => ({
  own,
  outer,
  changing: false,
});

/** The symbols with one variable standing for an expression that is there. */
export const withValue = (symbols: Symbols, name: string | undefined, value: Expression): Symbols =>
  name === undefined ? symbols : withValues(symbols, new Map([[name, value]]));

/** What a branch of the Parallel state that is being left has given. */
export const resultOf = (branch: number): Expression => variable(`${provided.result}${branch}`);

/** Whether an expression just is what is provided under a name. */
export const isProvided = (expression: Expression | undefined, name: string): boolean =>
  expression?.kind === "variable" && expression.name === name;

/** The error in a catcher, as an object of its members; without data these are null. */
export const caughtError: Expression = object([
  ["origin", variable(provided.errorOrigin)],
  ["name", variable(provided.errorName)],
  ["message", variable(provided.errorMessage)],
  ["data", variable(provided.errorData)],
]);

/** What the function that computes expressions has answered, as an object: whether the expression failed, with what, and else its value. */
export const answer: Expression = object([
  ["failed", variable(provided.failed)],
  ["name", variable(provided.failureName)],
  ["message", variable(provided.failureMessage)],
  ["value", variable(provided.computed)],
]);

/** An error that a variable holds, as an object of what the variable has under its members' names. */
export const keptError = (name: string): Expression =>
  object(["origin", "name", "message", "data"].map((member) => [member, variable(`${name}.${member}`)] as const));

/** The document as a state is entered with it. */
export const inputDocument: Expression = variable(provided.input);

/** How much an expression holds: what is folded into one field must stay readable, and under the depth that Step Functions allows. */
export function isLarge(expression: Expression): boolean {
  const { size, depth } = factsOf(expression).weight;
  return size > 200 || depth > 30 || (size > 40 && !isPrintable(expression));
}

function isPrintable(expression: Expression): boolean {
  if (!printable.has(expression)) printable.set(expression, refusals(expression).length === 0);
  return printable.get(expression)!;
}

const printable = new WeakMap<Expression, boolean>();
