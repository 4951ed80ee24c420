import type { Span } from "../../../../text/source.ts";
import type { Expression } from "../../../core/ast.ts";
import type { Names } from "../../../core/substitute.ts";
import { FaultSignal } from "../../cursor.ts";
import type { Signature } from "../names.ts";
import type { Definition, Jq } from "../syntax.ts";

/** How a program is taken into the core. */
export interface Lowering {
  /** What `now` is: the clock of the run. */
  readonly now: Expression | undefined;
  /** The place in the sources of a stretch of the program's text. */
  readonly spanAt: (start: number, end: number) => Span | undefined;
  /** Told of what is right but surely not meant. */
  readonly warn: (start: number, end: number, message: string) => void;
  /** The names that are taken, with the last number put behind each: variables, functions and labels of one program have different names. */
  readonly taken: Map<string, number>;
  /** How many queries have been lowered, those several times that are inlined in several places. */
  count: number;
}

/** What is defined at a place. */
export interface Scope {
  readonly variables: Names<Expression>;
  readonly functions: Names<Meaning>;
  readonly labels: Names<string>;
  /** Whether nothing is done with the outputs but that they are given, or put into an array: nothing after them can fail or break. */
  readonly isLast: boolean;
}

/** What a function's name means. */
export type Meaning =
  /** An argument, to be written in the place of the parameter. */
  | { readonly kind: "argument"; readonly query: Jq; readonly scope: Scope }
  /** A function of the core, or a parameter of one. */
  | { readonly kind: "function"; readonly name: string }
  /** A definition to be written in the place of its call. */
  | { readonly kind: "inline"; readonly definition: Definition; readonly scope: Scope }
  /** A function that is given from outside. */
  | { readonly kind: "given"; readonly make: GivenFunction };

/** What a call of a function that is given from outside stands for: its arguments, and where it stands in the program's text. */
export type GivenFunction = (args: readonly Expression[], from: number, to: number) => Expression;

/** Where nothing is defined. */
export const nowhere: Scope = { variables: undefined, functions: undefined, labels: undefined, isLast: false };

/** A scope in which outputs may be followed by anything, or by nothing. */
export const followed = (scope: Scope, isLast = false): Scope =>
  scope.isLast === isLast ? scope : { ...scope, isLast };

/** A scope in which a variable stands for an expression. */
export const withVariable = (scope: Scope, name: string, meaning: Expression): Scope => ({
  ...scope,
  variables: { name, meaning, outer: scope.variables },
});

/** A scope in which a function has a meaning. */
export const withFunction = (scope: Scope, name: Signature, meaning: Meaning): Scope => ({
  ...scope,
  functions: { name, meaning, outer: scope.functions },
});

/** A name like the wanted one that nothing else in the program has. */
export function freshName(wanted: string, lowering: Lowering): string {
  let count = lowering.taken.get(wanted) ?? 0;
  let name: string;
  do {
    count += 1;
    name = count === 1 ? wanted : `${wanted}_${count}`;
  } while (count > 1 && lowering.taken.has(name));
  lowering.taken.set(wanted, count);
  if (name !== wanted) lowering.taken.set(name, 1);
  return name;
}

/** More queries than this do not come out of one program: functions are written in the places of their calls. */
const mostQueries = 100_000;

/** Counts a query; signals a fault when there are too many. */
export function countQuery(query: Jq, lowering: Lowering): void {
  if (++lowering.count > mostQueries)
    refuse("limit", query, "This expression grows too large when its functions are written out.");
}

/** Gives up on a program. */
export function refuse(fault: "unsupported" | "limit", { start, end }: Jq, message: string, hint?: string): never {
  throw new FaultSignal({ fault, from: start, to: end, message, hint });
}
