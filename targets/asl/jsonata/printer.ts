import type { Expression } from "../../../src/expressions/ast.ts";
import { after, apply, type Code, code, isAtom, whole } from "./code.ts";
import { functionNames } from "./helpers.ts";

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
}

/** A call of a helper, which is noted as used. */
export function help(printer: Printer, name: string, ...args: readonly Code[]): Code {
  printer.used.add(name);
  return apply(name, ...args);
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
export const withPresent = (printer: Printer, path: string): Printer => ({ ...printer, present: new Set([...printer.present, path]) });

/** The printer where a variable is bound to a value that can be written twice. */
export const withBound = (printer: Printer, variable: string, { text }: Code): Printer => ({
  ...printer,
  bound: new Map([...printer.bound, [variable, text]]),
});

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
