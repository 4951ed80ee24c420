import type { Span } from "../../../../text/source.ts";
import type { Expression } from "../../../core/ast.ts";
import { FaultSignal } from "../../cursor.ts";
import type { Signature } from "../names.ts";
import type { Definition, Jq } from "../syntax.ts";

/** How a program is taken into the core. */
export interface Lowering {
  /** What `now` is: the clock of the run. */
  readonly now: Expression | undefined;
  /** The place in the sources of a stretch of the program's text. */
  readonly placeOf: (start: number, end: number) => Span | undefined;
  /** Told of what is right but surely not meant. */
  readonly warn: (start: number, end: number, message: string) => void;
  /** The names that are taken, with the last number put behind each: variables, functions and labels of one program have different names. */
  readonly taken: Map<string, number>;
  /** How many queries have been lowered, those several times that are inlined in several places. */
  count: number;
}

/** What is defined at a place. */
export interface Environment {
  readonly variables: Names<Expression>;
  readonly functions: Names<Meaning>;
  readonly labels: Names<string>;
  /** Whether nothing is done with the outputs but that they are given, or put into an array: nothing after them can fail or break. */
  readonly isLast: boolean;
}

/** The innermost name, and those around it. */
export type Names<T> = { readonly name: string; readonly meaning: T; readonly outer: Names<T> } | undefined;

/** What a function's name means. */
export type Meaning =
  /** An argument, to be written in the place of the parameter. */
  | { readonly kind: "argument"; readonly query: Jq; readonly environment: Environment }
  /** A function of the core, or a parameter of one. */
  | { readonly kind: "function"; readonly name: string }
  /** A definition to be written in the place of its call. */
  | { readonly kind: "inline"; readonly definition: Definition; readonly environment: Environment };

/** Where nothing is defined. */
export const nowhere: Environment = { variables: undefined, functions: undefined, labels: undefined, isLast: false };

/** An environment in which outputs may be followed by anything, or by nothing. */
export const followed = (environment: Environment, isLast = false): Environment =>
  environment.isLast === isLast ? environment : { ...environment, isLast };

/** What a name means. */
export function find<T>(names: Names<T>, name: string): T | undefined {
  for (let known = names; known; known = known.outer) if (known.name === name) return known.meaning;
  return undefined;
}

/** An environment in which a variable stands for an expression. */
export const withVariable = (environment: Environment, name: string, meaning: Expression): Environment => ({
  ...environment,
  variables: { name, meaning, outer: environment.variables },
});

/** An environment in which a function has a meaning. */
export const withFunction = (environment: Environment, name: Signature, meaning: Meaning): Environment => ({
  ...environment,
  functions: { name, meaning, outer: environment.functions },
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
