import type { Apply, Expression } from "../../../src/expressions/index.ts";
import { after, apply, type Code, code, isAtom, whole } from "./code.ts";
import { canHelperFail, caughtName, functionNames } from "./helpers.ts";
import type { Mode, Use } from "./modes.ts";

/**
 * How the variables of an expression are written: a name after `$`, a path from one, or a call that gives the value. Names are none of
 * `functionNames`.
 */
export type Environment = (variable: string) => string;

/** What printing one expression needs to know. */
export interface Printer {
  readonly environment: Environment;
  /** Variables that surely hold whole numbers far from the largest. */
  readonly isCount: (variable: string) => boolean;
  /** Whether the expression can fail. */
  readonly canFail: boolean;
  /** Paths at whose ends there surely is a value. */
  readonly present: ReadonlySet<string>;
  /** The helpers used so far; grows. */
  readonly used: Set<string>;
  /** The names taken so far; grows. */
  readonly taken: Set<string>;
  /** Variables that the expression itself binds, and how they are written. */
  readonly bound: ReadonlyMap<string, string>;
  /** How `.` is written. */
  readonly dot: string;
  /** Whether failures are values here, as `caught.ts` has it. */
  readonly caught: boolean;
  /** How often parts have been written once more than they stand in the expression; grows. */
  readonly copies: { count: number };
  /** The functions of the expression that are in scope, and how they are written. */
  readonly functions: ReadonlyMap<string, WrittenFunction>;
}

/** A function or a parameter of one: how it is called in a mode, for an input, with arguments. */
export interface WrittenFunction {
  readonly apply: (call: Apply, printer: Printer, mode: Mode, use: Use) => Code;
}

/** A call of a helper, which is noted as used. Where failures are values, it is the form of it that gives them. */
export function help(printer: Printer, name: string, ...args: readonly Code[]): Code {
  const written = printer.caught && canHelperFail(name) ? caughtName(name) : name;
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

/** Something over a value that is computed once: under a new name, unless it can be written twice. */
export function named(value: Code, printer: Printer, wanted: string, body: (value: Code) => Code): Code {
  if (isAtom(value)) return body(value);
  const name = fresh(printer, wanted);
  return after([...value.before, `${name} := ${whole({ ...value, before: [] })}`], body(code(name)));
}

/** The printer where `.` is another value. */
export const withDot = (printer: Printer, { text }: Code): Printer => ({ ...printer, dot: text });

/** The printer where there surely is a value at the end of a path. */
export const withPresent = (printer: Printer, path: string): Printer => ({
  ...printer,
  present: new Set([...printer.present, path]),
});

/** The printer where a variable is bound to a value that can be written twice. */
export const withBound = (printer: Printer, variable: string, { text }: Code): Printer => ({
  ...printer,
  bound: new Map([...printer.bound, [variable, text]]),
});

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
