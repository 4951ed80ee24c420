import type { Span } from "../../../text/source.ts";
import type { Expression } from "../../core/ast.ts";
import { variable } from "../../core/build.ts";
import { type Fault, isFault, type Parsed, parsing } from "../cursor.ts";
import { lower } from "./lower/query.ts";
import { type GivenFunction, type Lowering, nowhere, type Scope, withFunction, withVariable } from "./lower/scope.ts";
import { checkNames, type NameFault, type Signature } from "./names.ts";
import { parseJq } from "./parse.ts";
import type { Jq } from "./syntax.ts";

/** What a jq program may refer to. */
export interface JqContext {
  /** The variables that are given from outside, without `$`. */
  readonly variables?: readonly string[] | undefined;
  /** The functions that are given from outside. */
  readonly functions?: ReadonlyMap<Signature, GivenFunction> | undefined;
  /** What `now` gives: the clock of the run; without it, `now` is refused. */
  readonly now?: Expression | undefined;
  /** The place in the sources of a stretch of the program's text, in UTF-16 offsets. */
  readonly spanAt?: ((start: number, end: number) => Span | undefined) | undefined;
}

/** A jq program in the core, and what is right in it but surely not meant. */
export interface JqProgram {
  readonly expression: Expression;
  readonly warnings: readonly { readonly from: number; readonly to: number; readonly message: string }[];
}

/** What is wrong with a jq program, at least one thing. */
export type JqFaults = readonly (Fault | NameFault)[];

/** Reads a jq program into the core: all faults of its names at once, or the first of any other kind. */
export function readJq(text: string, context: JqContext = {}): JqProgram | JqFaults {
  const query = parseJq(text);
  if (isFault(query)) return [query];
  const faults = checkNames(query, context.variables ?? [], context.functions?.keys());
  if (faults.length > 0) return faults;
  const program = lowerJq(query, context);
  return isFault(program) ? [program] : program;
}

/** Takes a query whose names are known to be right into the core. */
export function lowerJq(query: Jq, context: JqContext): Parsed<JqProgram> {
  const warnings: { from: number; to: number; message: string }[] = [];
  const lowering: Lowering = {
    now: context.now,
    spanAt: context.spanAt ?? (() => undefined),
    warn: (from, to, message) => void warnings.push({ from, to, message }),
    taken: new Map(context.variables?.map((name) => [name, 1])),
    count: 0,
  };
  const functions = [...(context.functions ?? [])];
  const given = functions.reduce(
    (known: Scope, [signature, make]) => withFunction(known, signature, { kind: "given", make }),
    nowhere,
  );
  const scope = (context.variables ?? []).reduce((known: Scope, name) => withVariable(known, name, variable(name)), {
    ...given,
    isLast: true,
  });
  return parsing(() => ({ expression: lower(query, scope, lowering), warnings }));
}
