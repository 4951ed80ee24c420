import {
  type Apply,
  builtinOf,
  childrenOf,
  type Expression,
  factsOf,
  outputs,
  shapeWithin,
  type TypeName,
} from "../../../src/expressions/index.ts";
import type { Json } from "../../../src/json.ts";
import { alternatives, any, type Shape, typeOfShape } from "../../../src/types/index.ts";
import { after, apply, type Code, code, isAtom, referenceCode, valueText, whole } from "./code.ts";
import { caughtForm, functionNames } from "./helpers/index.ts";

/**
 * How the variables of an expression are written: a name after `$` or a path from one, a call that gives the value, or the value that it always has.
 * Names are none of `functionNames`.
 */
export type VariableText = (variable: string) => string | { readonly call: string } | { readonly constant: Json };

/** A variable as it is written. */
export function variableCode(written: ReturnType<VariableText>): Code {
  if (typeof written === "string") return referenceCode(written);
  return "call" in written ? code(written.call) : valueText(written.constant);
}

const isCall = (written: ReturnType<VariableText>): boolean => typeof written !== "string" && "call" in written;

/** What is known of the variables of an expression, whatever the input of a run is. */
export interface Knowledge {
  /** Whether a variable surely holds a whole number far from the largest. */
  readonly isCount: (variable: string) => boolean;
  /** The shapes of variables; those that have none can hold anything. */
  readonly shapes: ReadonlyMap<string, Shape>;
  /** Whether something outside the expression may read how its errors are worded: then that is jq's wording, which shows the values at fault. */
  readonly seesMessages: boolean;
}

/** Nothing is known. */
export const nothingKnown: Knowledge = { isCount: () => false, shapes: new Map(), seesMessages: true };

/** What printing one expression needs to know. */
export interface Printer {
  readonly variableText: VariableText;
  /** What is known of its variables. */
  readonly knowledge: Knowledge;
  /** Whether the expression can fail. */
  readonly canFail: boolean;
  /** Paths at whose ends there surely is a value. */
  readonly present: ReadonlySet<string>;
  /** The helpers used so far; grows. */
  readonly used: Set<string>;
  /** The names taken so far; grows. */
  readonly taken: Set<string>;
  /** Variables that the expression itself binds, and how they are written. */
  readonly bound: ReadonlyMap<string, Bound>;
  /** How `.` is written. */
  readonly dot: Code;
  /** What is known of `.`. */
  readonly dotShape: Shape;
  /** Whether failures are values here, as `catching` has it. */
  readonly caught: boolean;
  /** How often parts have been written once more than they stand in the expression; grows. */
  readonly copies: { count: number };
  /** The functions of the expression that are in scope, and how they are written. */
  readonly functions: ReadonlyMap<string, WrittenFunction>;
}

/** A variable that an expression binds. */
export interface Bound {
  readonly code: Code;
  readonly shape: Shape;
}

/** What becomes of each output of an expression. */
export type Use = (output: Code) => Code;

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
  readonly pass: Use;
}

/** A function or a parameter of one: how it is called in a mode, for an input, with arguments. */
export interface WrittenFunction {
  readonly apply: (call: Apply, printer: Printer, mode: Mode, use: Use) => Code;
}

/** A call of a helper, which is noted as used. Where failures are values, it is the form of it that gives them. */
export function help(printer: Printer, name: string, ...args: readonly Code[]): Code {
  const written = (printer.caught ? caughtForm(name) : undefined) ?? name;
  printer.used.add(written);
  return apply(written, ...args);
}

/** A new name for a value, after `$`. */
export function fresh({ taken }: Printer, wanted: string): string {
  const stem = /^[A-Za-z]\w{0,30}/.exec(wanted.replace(/\W+/g, "_"))?.[0].replace(/_+$/, "") ?? "value";
  let name = stem;
  for (let count = 2; taken.has(name) || functionNames.has(name); count++) name = `${stem}${count}`;
  taken.add(name);
  return `$${name}`;
}

/** Something over a value that is computed once: under a new name, unless it can be written twice, or is all that there is. */
export function named(value: Code, printer: Printer, wanted: string, body: (value: Code) => Code): Code {
  if (isAtom(value)) return body(value);
  const name = fresh(printer, wanted);
  const made = body(referenceCode(name));
  if (made.text === name && made.before.length === 0) return value;
  return after([...value.before, `${name} := ${whole({ ...value, before: [] })}`], made);
}

/** The printer where `.` is another value. */
export const withDot = (printer: Printer, dot: Code, shape: Shape = any): Printer => ({
  ...printer,
  dot,
  dotShape: shape,
});

/** The printer where there surely is a value at the end of a path. */
export const withPresent = (printer: Printer, path: string): Printer => ({
  ...printer,
  present: new Set([...printer.present, path]),
});

/** The printer where a variable is bound to a value that can be written twice. */
export const withBound = (printer: Printer, variable: string, code: Code, shape: Shape = any): Printer => ({
  ...printer,
  bound: new Map([...printer.bound, [variable, { code, shape }]]),
});

/**
 * The shape of all values that an expression gives where it is printed: `$states.input.error` → an object with `name`
 * and `message`.
 */
export const shapeIn = (expression: Expression, { bound, knowledge, dotShape }: Printer): Shape =>
  shapeWithin(expression, {
    input: dotShape,
    variables: { get: (name) => bound.get(name)?.shape ?? knowledge.shapes.get(name) },
  });

/** The type of all values that an expression gives where it is printed, if it is always the same. */
export const typeIn = (expression: Expression, printer: Printer): TypeName | undefined =>
  factsOf(expression).type ?? typeOfShape(shapeIn(expression, printer));

/** Whether all values of a shape are of a type. */
export const isAlways = (shape: Shape, type: TypeName): boolean => typeOfShape(shape) === type;

/** Whether some value of a shape may be of a type. */
export const mayBe = (shape: Shape, type: TypeName): boolean =>
  alternatives(shape).some((part) => typeOfShape(part) === type);

/** The value of an expression that is written out. */
export const constantOf = (expression: Expression): Json | undefined =>
  expression.kind === "literal" ? expression.value : undefined;

/** More copies of parts are not written. */
const mostCopies = 100;

/** Notes that a part is written once more; gives up on an expression that grows too much by it. */
export function countCopy({ copies }: Printer, expression: Expression): void {
  if (++copies.count > mostCopies)
    refuse("an expression that grows too large when its parts are written where they are used", expression);
}

/** A construct without an exact form; `refusals` finds it before anything is printed. */
export class Refused extends Error {
  readonly construct: string;
  readonly expression: Expression;

  constructor(construct: string, expression: Expression) {
    super(construct);
    this.construct = construct;
    this.expression = expression;
  }
}

/** Gives up on an expression. */
export function refuse(construct: string, expression: Expression): never {
  throw new Refused(construct, expression);
}

/**
 * Variables that are written as calls, such as `$uuid()`, in an expression that may compute them more than once: they
 * have one value.
 */
export function repeatedCalls(expression: Expression, variableText: VariableText): readonly string[] {
  const { free } = factsOf(expression);
  const called = [...free].filter(([name]) => isCall(variableText(name)));
  const again = called.length > 0 && mayRepeat(expression);
  return called.filter(([, count]) => again || count > 1).map(([name]) => name);
}

/** Something printed where each call that it may compute more than once has a name. */
export function bindCalls(expression: Expression, printer: Printer, print: (printer: Printer) => Code): Code {
  let inner = printer;
  const names = repeatedCalls(expression, printer.variableText).map((variable) => {
    const name = fresh(printer, variable);
    inner = withBound(inner, variable, referenceCode(name), printer.knowledge.shapes.get(variable));
    return `${name} := ${variableCode(printer.variableText(variable)).text}`;
  });
  return after(names, print(inner));
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
