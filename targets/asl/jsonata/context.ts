import {
  type Apply,
  builtinOf,
  childrenOf,
  type Expression,
  factsOf,
  inferTypeWithin,
  outputs,
  type TypeName,
} from "../../../src/expressions/index.ts";
import type { Json } from "../../../src/json.ts";
import { alternatives, any, type Type, typeNameOf } from "../../../src/types/index.ts";
import { blockText, type Code, callCode, code, isAtom, referenceCode, valueCode, withDefinitions } from "./code.ts";
import { catchingForm, functionNames } from "./helpers/index.ts";

/**
 * How the variables of an expression are written: a name after `$` or a path from one, a call that gives the value, or the value that it always has.
 * Names are none of `functionNames`.
 */
export type VariablePrinter = (variable: string) => string | { readonly call: string } | { readonly constant: Json };

/** A variable as it is written. */
export function variableCode(written: ReturnType<VariablePrinter>): Code {
  if (typeof written === "string") return referenceCode(written);
  return "call" in written ? code(written.call) : valueCode(written.constant);
}

const isCall = (written: ReturnType<VariablePrinter>): boolean => typeof written !== "string" && "call" in written;

/** What is known of the variables of an expression, whatever the input of a run is. */
export interface VariableFacts {
  /** Whether a variable surely holds a whole number far from the largest. */
  readonly isCount: (variable: string) => boolean;
  /** The shapes of variables; those that have none can hold anything. */
  readonly types: ReadonlyMap<string, Type>;
  /** Whether something outside the expression may read how its errors are worded: then that is jq's wording, which shows the values at fault. */
  readonly exposesMessages: boolean;
}

/** Nothing is known. */
export const noFacts: VariableFacts = { isCount: () => false, types: new Map(), exposesMessages: true };

/** What printing one expression needs to know. */
export interface Printer {
  readonly printVariable: VariablePrinter;
  /** What is known of its variables. */
  readonly facts: VariableFacts;
  /** Whether the expression can fail. */
  readonly canFail: boolean;
  /** Paths at whose ends there surely is a value. */
  readonly presentPaths: ReadonlySet<string>;
  /** The helpers used so far; grows. */
  readonly usedHelpers: Set<string>;
  /** The names taken so far; grows. */
  readonly usedNames: Set<string>;
  /** Variables that the expression itself binds, and how they are written. */
  readonly bindings: ReadonlyMap<string, BoundVariable>;
  /** How `.` is written. */
  readonly dot: Code;
  /** What is known of `.`. */
  readonly dotType: Type;
  /** Whether failures are values here, as `catching` has it. */
  readonly catchesFailures: boolean;
  /** How often parts have been written once more than they stand in the expression; grows. */
  readonly copies: { count: number };
  /** The functions of the expression that are in scope, and how they are written. */
  readonly functions: ReadonlyMap<string, FunctionInliner>;
}

/** A variable that an expression binds. */
export interface BoundVariable {
  readonly code: Code;
  readonly type: Type;
}

/** What becomes of each output of an expression. */
export type Continuation = (output: Code) => Code;

/** What is made of all outputs of an expression, each used in turn. */
export interface Mode {
  /**
   * `search`: what the first use gives that gives something; the outputs after it are not computed. `collect`: the
   * boxes that all uses give, in one list. `fold`: each use gives a new total.
   */
  readonly kind: "search" | "collect" | "fold";
  /** What gives the result without an output. */
  readonly none: Code;
  /** The use that only passes outputs on. */
  readonly pass: Continuation;
}

/** A function or a parameter of one: how it is called in a mode, for an input, with arguments. */
export interface FunctionInliner {
  readonly apply: (call: Apply, printer: Printer, mode: Mode, use: Continuation) => Code;
}

/** A call of a helper, which is noted as used. Where failures are values, it is the form of it that gives them. */
export function callHelper(printer: Printer, name: string, ...args: readonly Code[]): Code {
  const written = (printer.catchesFailures ? catchingForm(name) : undefined) ?? name;
  printer.usedHelpers.add(written);
  return callCode(written, ...args);
}

/** A new name for a value, after `$`. */
export function freshName({ usedNames: taken }: Printer, wanted: string): string {
  const stem = /^[A-Za-z]\w{0,30}/.exec(wanted.replace(/\W+/g, "_"))?.[0].replace(/_+$/, "") ?? "value";
  let name = stem;
  for (let count = 2; taken.has(name) || functionNames.has(name); count++) name = `${stem}${count}`;
  taken.add(name);
  return `$${name}`;
}

/** Something over a value that is computed once: under a new name, unless it can be written twice, or is all that there is. */
export function bindName(value: Code, printer: Printer, wanted: string, body: (value: Code) => Code): Code {
  if (isAtom(value)) return body(value);
  const name = freshName(printer, wanted);
  const made = body(referenceCode(name));
  if (made.text === name && made.definitions.length === 0) return value;
  return withDefinitions([...value.definitions, `${name} := ${blockText({ ...value, definitions: [] })}`], made);
}

/** The printer where `.` is another value. */
export const withDot = (printer: Printer, dot: Code, type: Type = any): Printer => ({
  ...printer,
  dot,
  dotType: type,
});

/** The printer where there surely is a value at the end of a path. */
export const withPresent = (printer: Printer, path: string): Printer => ({
  ...printer,
  presentPaths: new Set([...printer.presentPaths, path]),
});

/** The printer where a variable is bound to a value that can be written twice. */
export const withBinding = (printer: Printer, variable: string, code: Code, type: Type = any): Printer => ({
  ...printer,
  bindings: new Map([...printer.bindings, [variable, { code, type }]]),
});

/**
 * The shape of all values that an expression gives where it is printed: `$states.input.error` → an object with `name`
 * and `message`.
 */
export const inferredType = (expression: Expression, { bindings: bound, facts: knowledge, dotType }: Printer): Type =>
  inferTypeWithin(expression, {
    input: dotType,
    variables: { get: (name) => bound.get(name)?.type ?? knowledge.types.get(name) },
  });

/** The type of all values that an expression gives where it is printed, if it is always the same. */
export const typeNameIn = (expression: Expression, printer: Printer): TypeName | undefined =>
  factsOf(expression).type ?? typeNameOf(inferredType(expression, printer));

/** Whether all values of a shape are of a type. */
export const isAlways = (valueType: Type, type: TypeName): boolean => typeNameOf(valueType) === type;

/** Whether some value of a shape may be of a type. */
export const mayBe = (valueType: Type, type: TypeName): boolean =>
  alternatives(valueType).some((part) => typeNameOf(part) === type);

/** The value of an expression that is written out. */
export const constantOf = (expression: Expression): Json | undefined =>
  expression.kind === "literal" ? expression.value : undefined;

/** More copies of parts are not written. */
const maxCopies = 100;

/** Notes that a part is written once more; gives up on an expression that grows too much by it. */
export function countCopy({ copies }: Printer, expression: Expression): void {
  if (++copies.count > maxCopies)
    reject("an expression that grows too large when its parts are written where they are used", expression);
}

/** A construct without an exact form; `refusals` finds it before anything is printed. */
export class UnsupportedExpression extends Error {
  readonly construct: string;
  readonly expression: Expression;

  constructor(construct: string, expression: Expression) {
    super(construct);
    this.construct = construct;
    this.expression = expression;
  }
}

/** Gives up on an expression. */
export function reject(construct: string, expression: Expression): never {
  throw new UnsupportedExpression(construct, expression);
}

/**
 * Variables that are written as calls, such as `$uuid()`, in an expression that may compute them more than once: they
 * have one value.
 */
export function repeatedCalls(expression: Expression, variableText: VariablePrinter): readonly string[] {
  const { free } = factsOf(expression);
  const called = [...free].filter(([name]) => isCall(variableText(name)));
  const again = called.length > 0 && mayRepeat(expression);
  return called.filter(([, count]) => again || count > 1).map(([name]) => name);
}

/** Something printed where each call that it may compute more than once has a name. */
export function bindCalls(expression: Expression, printer: Printer, print: (printer: Printer) => Code): Code {
  let inner = printer;
  const names = repeatedCalls(expression, printer.printVariable).map((variable) => {
    const name = freshName(printer, variable);
    inner = withBinding(inner, variable, referenceCode(name), printer.facts.types.get(variable));
    return `${name} := ${variableCode(printer.printVariable(variable)).text}`;
  });
  return withDefinitions(names, print(inner));
}

/**
 * Whether parts of an expression may be computed several times: once for each of several outputs, elements or results
 * so far.
 */
function mayRepeat(expression: Expression): boolean {
  const children = childrenOf(expression);
  const isStream =
    expression.kind === "comma" ||
    (expression.kind === "call" &&
      expression.name !== "attribute" &&
      builtinOf(expression.name, expression.args.length)?.kind === "stream");
  const several = children.filter((child) => outputs(child.expression) === "many").length;
  if (several > 0 && children.length > 1 && !isStream) return true;
  return children.some((child) => (child.rebinds && expression.kind !== "pipe") || mayRepeat(child.expression));
}
