import type { Expression } from "../../../src/expressions/ast.ts";
import { factsOf, type Outputs } from "../../../src/expressions/facts.ts";

/** How the variables of an expression are written. */
export type Environment = (variable: string) => string;

/** What printing one expression needs to know. */
export interface Printer {
  readonly environment: Environment;
  /** The helpers used so far. */
  readonly used: Set<string>;
  /** Variables that the expression itself binds, and how they are written. */
  readonly bound: ReadonlyMap<string, string>;
  /** How `.` is written. */
  readonly dot: string;
  /** How deep in functions and blocks we are: makes names different. */
  readonly depth: number;
}

/** A call of a helper, which is noted as used. */
export function help(printer: Printer, name: string, ...args: readonly string[]): string {
  printer.used.add(name);
  return `$${name}(${args.join(", ")})`;
}

/** A name that is not used around here. */
export const local = (printer: Printer, name: string): string =>
  `$_${name.replace(/[^A-Za-z0-9]/g, "") || "v"}${printer.depth === 0 ? "" : printer.depth}`;

/** The printer one level further in, perhaps with another `.` and another variable. */
export function deeper(printer: Printer, change: { readonly dot?: string; readonly bind?: readonly [string, string] } = {}): Printer {
  const { dot = printer.dot, bind } = change;
  return { ...printer, dot, bound: bind ? new Map([...printer.bound, bind]) : printer.bound, depth: printer.depth + 1 };
}

/** How many outputs an expression has, as far as printing is concerned. */
export const outputsOf = (expression: Expression): Outputs => factsOf(expression).outputs;

/** A construct without an exact form; found by `refusals` before anything is printed. */
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
