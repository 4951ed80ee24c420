import {
  type Expression,
  effectsOf,
  literal,
  object,
  simplify,
  substitute,
  variable,
} from "../../../src/expressions/index.ts";
import { readConstructed } from "../../../src/passes/index.ts";
import { intrinsics } from "../intrinsics.ts";
import { isPartName, readParts } from "./error-parts.ts";

/**
 * Values of variables at one point, over values at the state's entry: changes since then, the scope's variables, and
 * those of outer scopes.
 */
export interface SymbolTable {
  readonly own: ReadonlyMap<string, Expression>;
  readonly outer: SymbolTable | undefined;
  /** Whether `own` holds changes. */
  readonly changing: boolean;
}

/** Intrinsics that differ at each evaluation. */
const unstable: ReadonlySet<string> = new Set([
  intrinsics.now,
  intrinsics.millis,
  intrinsics.random,
  intrinsics.uuid,
  intrinsics.expiry,
]);

/** Whether a changed value differs at each evaluation. */
export const hasUnstable = ({ own, changing }: SymbolTable): boolean =>
  changing &&
  [...own.values()].some((value) => Array.from(effectsOf(value).free.keys()).some((name) => unstable.has(name)));

/** A variable's value; undefined if no scope declares it. */
export function symbolValue(symbols: SymbolTable, name: string): Expression | undefined {
  for (let layer: SymbolTable | undefined = symbols; layer; layer = layer.outer) {
    const value = layer.own.get(name);
    if (value) return value;
  }
  return undefined;
}

/** Replaces variables by their values. */
export function resolve(expression: Expression, symbols: SymbolTable): Expression {
  const replacements = new Map<string, Expression>();
  for (const name of effectsOf(expression).free.keys()) {
    const value = symbolValue(symbols, name);
    if (value) replacements.set(name, value);
  }
  return withParts(simplify(substitute(expression, replacements)));
}

/** Only errors have members that are variables of their own. */
const withParts = (expression: Expression): Expression => {
  const { free } = effectsOf(expression);
  return [...free.keys()].some(isPartName) ? readConstructed(simplify(readParts(expression))) : expression;
};

/** The symbols after an assignment; all values read the old symbols. */
export function assignSymbols(
  symbols: SymbolTable,
  values: readonly { readonly variable: string; readonly value: Expression }[],
): SymbolTable {
  return withValues(symbols, new Map(values.map(({ variable: name, value }) => [name, resolve(value, symbols)])));
}

/** Sets variables to resolved expressions. */
export const withValues = (symbols: SymbolTable, values: ReadonlyMap<string, Expression>): SymbolTable =>
  symbols.changing
    ? { ...symbols, own: new Map([...symbols.own, ...values]) }
    : { own: values, outer: symbols, changing: true };

export const withValue = (symbols: SymbolTable, name: string | undefined, value: Expression): SymbolTable =>
  name === undefined ? symbols : withValues(symbols, new Map([[name, value]]));

/** The symbols of a scope inside outer symbols. */
export const inScope = (own: ReadonlyMap<string, Expression>, outer: SymbolTable | undefined): SymbolTable => ({
  own,
  outer,
  changing: false,
});

/** The value of a variable without an initial value. */
export const unset: Expression = literal(null);

/** The document at the entry of a state. */
export const inputDocument: Expression = variable(intrinsics.input);

/** The result of a branch at the exit of a Parallel state. */
export const resultOf = (branch: number): Expression => variable(`${intrinsics.result}${branch}`);

/** A member of an iteration's input; `key` is an identifier. */
export const inputMember = (key: string): Expression => variable(`${intrinsics.given}${key}`);

/** Whether an expression is this variable. */
export const isVariable = (expression: Expression | undefined, name: string): boolean =>
  expression?.kind === "variable" && expression.name === name;

/** The caught error, as an object; missing data is null. */
export const caughtError: Expression = object([
  ["origin", variable(intrinsics.errorOrigin)],
  ["name", variable(intrinsics.errorName)],
  ["message", variable(intrinsics.errorMessage)],
  ["data", variable(intrinsics.errorData)],
]);

/** A caught own error: only its value. */
export const caughtValue: Expression = object([["data", variable(intrinsics.carried)]]);

/** The response of the function for outlined expressions: whether it failed, its error, and its value. */
export const outlinedResponse: Expression = object([
  ["failed", variable(intrinsics.failed)],
  ["failure", variable(intrinsics.failure)],
  ["value", variable(intrinsics.computed)],
]);
