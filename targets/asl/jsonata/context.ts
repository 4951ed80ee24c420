import {
  builtinOf,
  type Call,
  childrenOf,
  type Expression,
  effectsOf,
  inferTypeWithin,
  type JqTypeName,
  narrowedTypes,
  outputs,
  type TypeEnvironment,
  type VariableTypes,
} from "../../../src/expressions/index.ts";
import type { Json } from "../../../src/json.ts";
import { alternatives, any, type Type, typeNameOf } from "../../../src/types/index.ts";
import { blockText, type Code, callCode, code, isAtom, referenceCode, valueCode, withDefinitions } from "./code.ts";
import { catchingForm, functionNames } from "./helpers/index.ts";

/** Prints a variable: a name after `$` or a path from one, a call, or a constant. Excludes `functionNames`. */
export type VariablePrinter = (variable: string) => string | { readonly call: string } | { readonly constant: Json };

/** The piece for a printed variable. */
export function variableCode(written: ReturnType<VariablePrinter>): Code {
  if (typeof written === "string") return referenceCode(written);
  return "call" in written ? code(written.call) : valueCode(written.constant);
}

const isCall = (written: ReturnType<VariablePrinter>): boolean => typeof written !== "string" && "call" in written;

/** Facts about an expression's variables in every run. */
export interface VariableFacts {
  /** It surely holds an integer small enough for exact arithmetic. */
  readonly isCount: (variable: string) => boolean;
  readonly types: VariableTypes;
  /** Error messages may be read elsewhere, so they must be jq's, with the values at fault. */
  readonly exposesMessages: boolean;
  /** Neither the name nor the message of an error is read: runners know only that the expression failed. */
  readonly onlyFails?: boolean | undefined;
}

/** No facts. */
export const noFacts: VariableFacts = { isCount: () => false, types: new Map(), exposesMessages: true };

/** The context of a printed expression. */
export interface JsonataPrinter {
  readonly printVariable: VariablePrinter;
  readonly facts: VariableFacts;
  readonly canFail: boolean;
  /** Paths at whose ends a value surely exists. */
  readonly presentPaths: ReadonlySet<string>;
  readonly usedHelpers: Set<string>;
  readonly usedNames: Set<string>;
  readonly bindings: ReadonlyMap<string, BoundVariable>;
  readonly dot: Code;
  readonly dotType: Type;
  /** Whether failures are values here; see `catching`. */
  readonly catchesFailures: boolean;
  /** Whether paths are printed to update the values there. */
  readonly isUpdating?: boolean | undefined;
  /** The operation whose result is bound: beyond a double's range it is the largest double, and no error. */
  readonly boundOperation?: Expression | undefined;
  readonly copies: { count: number };
  readonly functions: ReadonlyMap<string, FunctionInliner>;
}

/** A variable bound by an expression. */
export interface BoundVariable {
  readonly code: Code;
  readonly type: Type;
}

/** Consumes one output of an expression. */
export type OutputContinuation = (output: Code) => Code;

/** How the results for each output are combined. */
export interface Mode {
  /**
   * `search`: the first result; later outputs are not computed. `collect`: an array of all results, boxed. `fold`: each
   * result is the new total.
   */
  readonly kind: "search" | "collect" | "fold";
  readonly none: Code;
  /** Passes outputs on unchanged. */
  readonly pass: OutputContinuation;
}

/** Prints calls of a function or of a parameter. */
export interface FunctionInliner {
  readonly apply: (call: Call, printer: JsonataPrinter, mode: Mode, use: OutputContinuation) => Code;
}

/** Calls a helper and records its use, in its non-failing form if failures are values. */
export function callHelper(printer: JsonataPrinter, name: string, ...args: readonly Code[]): Code {
  const form = (printer.catchesFailures ? catchingForm(name) : undefined) ?? name;
  printer.usedHelpers.add(form);
  return callCode(form, ...args);
}

/** An unused variable name, including `$`. */
export function freshName({ usedNames }: JsonataPrinter, wanted: string): string {
  const stem = /^[A-Za-z]\w{0,30}/.exec(wanted.replace(/\W+/g, "_"))?.[0].replace(/_+$/, "") ?? "value";
  let name = stem;
  for (let count = 2; usedNames.has(name) || functionNames.has(name); count++) name = `${stem}${count}`;
  usedNames.add(name);
  return `$${name}`;
}

/** Binds a value to a name for `body`, unless it may be repeated or is the result. */
export function bindName(value: Code, printer: JsonataPrinter, wanted: string, body: (value: Code) => Code): Code {
  if (isAtom(value)) return body(value);
  const name = freshName(printer, wanted);
  const result = body(referenceCode(name));
  if (result.text === name && result.definitions.length === 0) return value;
  return withDefinitions([...value.definitions, `${name} := ${blockText({ ...value, definitions: [] })}`], result);
}

/** Rebinds `.`. */
export const withDot = (printer: JsonataPrinter, dot: Code, type: Type = any): JsonataPrinter => ({
  ...printer,
  dot,
  dotType: type,
});

/** Narrows types to what a condition leaves where it holds, or does not. */
export function withNarrowedTypes(condition: Expression, printer: JsonataPrinter, holds: boolean): JsonataPrinter {
  let { dotType } = printer;
  const bindings = new Map(printer.bindings);
  const types = new Map<string, Type>();
  for (const [name, type] of narrowedTypes(condition, environmentOf(printer), holds)) {
    const bound = name === undefined ? undefined : bindings.get(name);
    if (name === undefined) dotType = type;
    else if (bound) bindings.set(name, { ...bound, type });
    else types.set(name, type);
  }
  const { facts } = printer;
  if (types.size === 0) return { ...printer, dotType, bindings };
  const narrowed: VariableTypes = { get: (name) => types.get(name) ?? facts.types.get(name) };
  return { ...printer, dotType, bindings, facts: { ...facts, types: narrowed } };
}

const environmentOf = ({ bindings, facts, dotType }: JsonataPrinter): TypeEnvironment => ({
  input: dotType,
  variables: { get: (name) => bindings.get(name)?.type ?? facts.types.get(name) },
});

/** Records that a value surely exists at the end of a path. */
export const withPresent = (printer: JsonataPrinter, path: string): JsonataPrinter => ({
  ...printer,
  presentPaths: new Set([...printer.presentPaths, path]),
});

/** Binds a variable to a piece that may be repeated. */
export const withBinding = (
  printer: JsonataPrinter,
  variable: string,
  code: Code,
  type: Type = any,
): JsonataPrinter => ({
  ...printer,
  bindings: new Map([...printer.bindings, [variable, { code, type }]]),
});

/** The type of an expression's values in scope. */
export const inferredType = (expression: Expression, printer: JsonataPrinter): Type =>
  inferTypeWithin(expression, environmentOf(printer));

/** The name of that type, if all its values share one. */
export const typeNameIn = (expression: Expression, printer: JsonataPrinter): JqTypeName | undefined =>
  effectsOf(expression).type ?? typeNameOf(inferredType(expression, printer));

/** Whether all values of a type have a given type name. */
export const isAlways = (valueType: Type, type: JqTypeName): boolean => typeNameOf(valueType) === type;

/** Whether some value of a type may have a given type name. */
export const mayBe = (valueType: Type, type: JqTypeName): boolean =>
  alternatives(valueType).some((part) => typeNameOf(part) === type);

/** The value of a literal. */
export const constantOf = (expression: Expression): Json | undefined =>
  expression.kind === "literal" ? expression.value : undefined;

const maxCopies = 100;

/** Counts a duplicated subexpression; rejects expressions that grow too large. */
export function countCopy({ copies }: JsonataPrinter, expression: Expression): void {
  if (++copies.count > maxCopies) reject("an expression that grows too large when its parts are inlined", expression);
}

/** Thrown for a construct without an exact form in JSONata. */
export class UnsupportedExpression extends Error {
  readonly construct: string;
  readonly expression: Expression;

  constructor(construct: string, expression: Expression) {
    super(construct);
    this.construct = construct;
    this.expression = expression;
  }
}

/** Throws `UnsupportedExpression`. */
export function reject(construct: string, expression: Expression): never {
  throw new UnsupportedExpression(construct, expression);
}

/** Variables printed as calls such as `$uuid()` that may be evaluated repeatedly, and so must be bound. */
export function repeatedCalls(expression: Expression, printVariable: VariablePrinter): readonly string[] {
  const { free } = effectsOf(expression);
  const called = [...free].filter(([name]) => isCall(printVariable(name)));
  const again = called.length > 0 && mayRepeat(expression);
  return called.filter(([, count]) => again || count > 1).map(([name]) => name);
}

/** Prints with names bound to the `repeatedCalls`. */
export function bindCalls(
  expression: Expression,
  printer: JsonataPrinter,
  print: (printer: JsonataPrinter) => Code,
): Code {
  let inner = printer;
  const names = repeatedCalls(expression, printer.printVariable).map((variable) => {
    const name = freshName(printer, variable);
    inner = withBinding(inner, variable, referenceCode(name), printer.facts.types.get(variable));
    return `${name} := ${variableCode(printer.printVariable(variable)).text}`;
  });
  return withDefinitions(names, print(inner));
}

function mayRepeat(expression: Expression): boolean {
  const children = childrenOf(expression);
  const isStream =
    expression.kind === "comma" ||
    (expression.kind === "call" &&
      expression.name !== "attribute" &&
      builtinOf(expression.name, expression.args.length)?.kind === "stream");
  const several = children.filter((child) => outputs(child.expression) === "many").length;
  if (several > 0 && children.length > 1 && !isStream) return true;
  return children.some((child) => (child.rebindsInput && expression.kind !== "pipe") || mayRepeat(child.expression));
}
