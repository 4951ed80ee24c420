import type { Span } from "../../../../text/source.ts";
import type { ScopeChain } from "../../../analysis/substitute.ts";
import type { Expression } from "../../../core/ast.ts";
import { ParseErrorSignal } from "../../cursor.ts";
import type { Signature } from "../names.ts";
import type { Definition, Jq } from "../syntax.ts";

/** The state of a lowering. */
export interface LoweringContext {
  readonly now: Expression | undefined;
  readonly spanAt: (start: number, end: number) => Span | undefined;
  readonly warn: (start: number, end: number, message: string) => void;
  /** Names in use with the last suffix tried. */
  readonly usedNames: Map<string, number>;
  count: number;
}

/** The names in scope. */
export interface LoweringScope {
  readonly variables: ScopeChain<Expression>;
  readonly functions: ScopeChain<FunctionBinding>;
  readonly labels: ScopeChain<string>;
  /** Nothing after the outputs can fail or break. */
  readonly isLast: boolean;
}

/** What a function name resolves to. */
export type FunctionBinding =
  | { readonly kind: "argument"; readonly query: Jq; readonly scope: LoweringScope }
  /** A function of the core or a parameter of one. */
  | { readonly kind: "function"; readonly name: string }
  | { readonly kind: "inline"; readonly definition: Definition; readonly scope: LoweringScope }
  | { readonly kind: "given"; readonly make: PredefinedFunction };

/** Expands a call of a predefined function. */
export type PredefinedFunction = (args: readonly Expression[], from: number, to: number) => Expression;

/** The empty scope. */
export const emptyScope: LoweringScope = {
  variables: undefined,
  functions: undefined,
  labels: undefined,
  isLast: false,
};

/** The scope of a query with further use of its outputs. */
export const withFurtherUse = (scope: LoweringScope, isLast = false): LoweringScope =>
  scope.isLast === isLast ? scope : { ...scope, isLast };

/** Extends the scope by a variable. */
export const withVariable = (scope: LoweringScope, name: string, meaning: Expression): LoweringScope => ({
  ...scope,
  variables: { name, value: meaning, outer: scope.variables },
});

/** Extends the scope by a function. */
export const withFunction = (scope: LoweringScope, name: Signature, meaning: FunctionBinding): LoweringScope => ({
  ...scope,
  functions: { name, value: meaning, outer: scope.functions },
});

/** A unique name based on `wanted`. */
export function freshName(wanted: string, lowering: LoweringContext): string {
  let count = lowering.usedNames.get(wanted) ?? 0;
  let name: string;
  do {
    count += 1;
    name = count === 1 ? wanted : `${wanted}_${count}`;
  } while (count > 1 && lowering.usedNames.has(name));
  lowering.usedNames.set(wanted, count);
  if (name !== wanted) lowering.usedNames.set(name, 1);
  return name;
}

const maxQueries = 100_000;

/** Counts a query; fails beyond the limit. */
export function countQuery(query: Jq, lowering: LoweringContext): void {
  if (++lowering.count > maxQueries)
    reject("limit", query, "This expression grows too large when its functions are inlined.");
}

/** Rejects a program. */
export function reject(category: "unsupported" | "limit", { start, end }: Jq, message: string, hint?: string): never {
  throw new ParseErrorSignal({ category, from: start, to: end, message, hint });
}
