import {
  type Expression,
  effectsOf,
  literal,
  object,
  simplify,
  substitute,
  variable,
} from "../../../src/expressions/index.ts";
import { intrinsics } from "../intrinsics.ts";

/**
 * What variables are worth at one point, as expressions over what is there when a state is entered: first what has changed since, then what
 * the scope has, then the scopes around it.
 */
export interface SymbolTable {
  readonly own: ReadonlyMap<string, Expression>;
  readonly outer: SymbolTable | undefined;
  /** Whether `own` holds what has changed, not what a scope has. */
  readonly changing: boolean;
}

/** What is another thing each time it is asked for. */
const unstable: ReadonlySet<string> = new Set([
  intrinsics.now,
  intrinsics.millis,
  intrinsics.random,
  intrinsics.uuid,
  intrinsics.expiry,
]);

/** Whether something that has changed is worth what is another thing each time it is asked for. */
export const hasUnstable = ({ own, changing }: SymbolTable): boolean =>
  changing &&
  [...own.values()].some((value) => Array.from(effectsOf(value).free.keys()).some((name) => unstable.has(name)));

/** What a variable is worth; undefined where no scope has it. */
export function valueOf(symbols: SymbolTable, name: string): Expression | undefined {
  for (let layer: SymbolTable | undefined = symbols; layer; layer = layer.outer) {
    const value = layer.own.get(name);
    if (value) return value;
  }
  return undefined;
}

/** An expression over variables, as one over what is there. */
export function resolve(expression: Expression, symbols: SymbolTable): Expression {
  const replacements = new Map<string, Expression>();
  for (const name of effectsOf(expression).free.keys()) {
    const value = valueOf(symbols, name);
    if (value) replacements.set(name, value);
  }
  return simplify(substitute(expression, replacements));
}

/** The symbols after variables have been given new values, all computed from the old ones. */
export function assignSymbols(
  symbols: SymbolTable,
  values: readonly { readonly variable: string; readonly value: Expression }[],
): SymbolTable {
  return withValues(symbols, new Map(values.map(({ variable: name, value }) => [name, resolve(value, symbols)])));
}

/** The symbols with some variables standing for expressions that are there. */
export const withValues = (symbols: SymbolTable, values: ReadonlyMap<string, Expression>): SymbolTable =>
  symbols.changing
    ? { ...symbols, own: new Map([...symbols.own, ...values]) }
    : { own: values, outer: symbols, changing: true };

/** The symbols with one variable standing for an expression that is there. */
export const withValue = (symbols: SymbolTable, name: string | undefined, value: Expression): SymbolTable =>
  name === undefined ? symbols : withValues(symbols, new Map([[name, value]]));

/** What the variables of a scope are worth, in front of those of the scope around it. */
export const inScope = (own: ReadonlyMap<string, Expression>, outer: SymbolTable | undefined): SymbolTable => ({
  own,
  outer,
  changing: false,
});

/** The value of a variable that has none: every variable of the IR is null at first. */
export const unset: Expression = literal(null);

/** The document as a state is entered with it. */
export const inputDocument: Expression = variable(intrinsics.input);

/** What a branch of the Parallel state that is being left has given. */
export const resultOf = (branch: number): Expression => variable(`${intrinsics.result}${branch}`);

/** What an iteration that is given several values has under a key, which is a plain word. */
export const inputMember = (key: string): Expression => variable(`${intrinsics.given}${key}`);

/** Whether an expression just is what is provided under a name. */
export const isVariable = (expression: Expression | undefined, name: string): boolean =>
  expression?.kind === "variable" && expression.name === name;

/** The error in a catcher, as an object of its members; without data these are null. */
export const caughtError: Expression = object([
  ["origin", variable(intrinsics.errorOrigin)],
  ["name", variable(intrinsics.errorName)],
  ["message", variable(intrinsics.errorMessage)],
  ["data", variable(intrinsics.errorData)],
]);

/** An error of ours in a catcher: nothing but the value that it carries. */
export const caughtValue: Expression = object([["data", variable(intrinsics.carried)]]);

/** What the function that computes expressions has answered, as an object: whether the expression failed, with what, and else its value. */
export const outlinedResponse: Expression = object([
  ["failed", variable(intrinsics.failed)],
  ["failure", variable(intrinsics.failure)],
  ["value", variable(intrinsics.computed)],
]);
