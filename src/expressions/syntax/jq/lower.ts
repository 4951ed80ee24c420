import type { Span } from "../../../text/source.ts";
import type { Expression } from "../../core/ast.ts";
import { variable } from "../../core/build.ts";
import { isParseError, type ParseError, type ParseResult, runParser } from "../cursor.ts";
import { lower } from "./lower/query.ts";
import {
  emptyScope,
  type LoweringContext,
  type LoweringScope,
  type PredefinedFunction,
  withFunction,
  withVariable,
} from "./lower/scope.ts";
import { checkNames, type NameError, type Signature } from "./names.ts";
import { parseJq } from "./parse.ts";
import type { Jq } from "./syntax.ts";

/** The environment of a jq program. */
export interface JqContext {
  readonly variables?: readonly string[] | undefined;
  readonly functions?: ReadonlyMap<Signature, PredefinedFunction> | undefined;
  /** The value of `now`; without it, `now` is rejected. */
  readonly now?: Expression | undefined;
  readonly spanAt?: ((start: number, end: number) => Span | undefined) | undefined;
}

/** A lowered jq program with warnings about likely mistakes. */
export interface JqProgram {
  readonly expression: Expression;
  readonly warnings: readonly { readonly from: number; readonly to: number; readonly message: string }[];
}

/** The errors of a jq program. */
export type JqErrors = readonly (ParseError | NameError)[];

/** Parses and lowers a jq program. Returns all name errors, or the first other error. */
export function readJq(text: string, context: JqContext = {}): JqProgram | JqErrors {
  const query = parseJq(text);
  if (isParseError(query)) return [query];
  const faults = checkNames(query, context.variables ?? [], context.functions?.keys());
  if (faults.length > 0) return faults;
  const program = lowerJq(query, context);
  return isParseError(program) ? [program] : program;
}

/** Lowers a query after the check of names. */
export function lowerJq(query: Jq, context: JqContext): ParseResult<JqProgram> {
  const warnings: { from: number; to: number; message: string }[] = [];
  const lowering: LoweringContext = {
    now: context.now,
    spanAt: context.spanAt ?? (() => undefined),
    warn: (from, to, message) => void warnings.push({ from, to, message }),
    usedNames: new Map(context.variables?.map((name) => [name, 1])),
    count: 0,
  };
  const functions = [...(context.functions ?? [])];
  const given = functions.reduce(
    (known: LoweringScope, [signature, make]) => withFunction(known, signature, { kind: "given", make }),
    emptyScope,
  );
  const scope = (context.variables ?? []).reduce(
    (known: LoweringScope, name) => withVariable(known, name, variable(name)),
    {
      ...given,
      isLast: true,
    },
  );
  return runParser(() => ({ expression: lower(query, scope, lowering), warnings }));
}
