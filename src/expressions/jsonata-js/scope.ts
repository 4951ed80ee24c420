import { type JsExpression as Code, type Identifier, js } from "../../js-ast/index.ts";
import type { DialectNames, DialectValue, Expression } from "../core/ast.ts";
import { equalExpressions } from "../core/equal.ts";

/** The code of a part of a program, and what is known of its value. */
export interface Printed {
  readonly code: Code;
  readonly type?: ValueType | undefined;
  /** The type that TypeScript may infer, which then forbids to compare the value with one of another type. */
  readonly inferred?: ValueType | undefined;
  /** Whether it is a number that counts, so that calculations with it and other such numbers stay in range. */
  readonly isCount?: boolean | undefined;
  /** Whether it may be undefined, which is JSONata's nothing. */
  readonly isOptional: boolean;
  /** Whether it may fail, or contain an infinite number. */
  readonly canFail: boolean;
}

/** The type of a value, if known. */
export type ValueType = "null" | "boolean" | "number" | "string" | "array" | "object";

/** What a part of a program is printed in. */
export interface Scope {
  readonly program: ProgramScope;
  readonly locals: ReadonlyMap<string, Local>;
  /** The value of `$`; absent where that is nothing. */
  readonly context?: Printed | undefined;
  /** Whether it is the body of a function. */
  readonly isFunction?: boolean;
}

/** A variable that the program binds. */
export type Local =
  | { readonly kind: "value"; readonly printed: Printed }
  | ({ readonly kind: "function" } & PrintedFunction);

/** A function of a program. */
export interface PrintedFunction {
  readonly code: Code;
  readonly parameters: number;
  readonly canFail: boolean;
  /** Whether what it gives another function may be a sequence of no item or of one, which JavaScript cannot tell apart from that. */
  readonly givesSequence: boolean;
}

/** What is known of a whole program, and what printing collects. */
export interface ProgramScope {
  readonly names: DialectNames;
  /** The values that the program takes, by name. */
  readonly inputs: ReadonlyMap<string, Expression>;
  /** The variables that the program assigns. */
  readonly assigned: ReadonlySet<string>;
  /** The expressions that are read; `values` has their codes in the same order. */
  readonly reads: Expression[];
  readonly values: readonly DialectValue[];
  /** How many values of `uuid()` and `random()` are used. */
  readonly drawn: Map<string, number>;
  /** Whether a path evaluates a function for each item, or keeps a single item in an array: no program has both. */
  mapsItems: boolean;
  keepsArrays: boolean;
}

/** Thrown for a program that has no form of its own in JavaScript. */
export class Unprintable extends Error {}

/** Gives up printing a program: the evaluator runs it. */
export function refuse(what: string): never {
  throw new Unprintable(what);
}

/** A function of `query.js`. */
export const helper = ({ program }: Scope, name: string): Identifier => program.names.helper(name);

/** A call of a function of `query.js`. It may not fail, and gives something, unless `known` says otherwise. */
export const call = (
  scope: Scope,
  name: string,
  args: readonly Code[],
  known: Partial<Omit<Printed, "code">> = {},
): Printed => ({ isOptional: false, canFail: false, ...known, code: js.call(helper(scope, name), args) });

/** A scalar. */
export const constant = (value: null | boolean | number | string, type: ValueType): Printed => ({
  code: js.literal(value),
  type,
  isOptional: false,
  canFail: false,
});

/** Nothing. */
export const nothing: Printed = { code: js.undefinedName, isOptional: true, canFail: false };

/** A name for a variable that is free where it is visible. */
export const fresh = ({ program }: Scope, wanted: string): string => program.names.fresh(wanted);

/** The value of an expression that the program reads. */
export function read({ program }: Scope, expression: Expression): Printed {
  let index = program.reads.findIndex((known) => equalExpressions(known, expression));
  if (index < 0) index = program.reads.push(expression) - 1;
  const { code, type, inferred } = program.values[index] ?? placeholder;
  return { code, type, inferred, isOptional: false, canFail: false };
}

/** Before the codes are known, which forms a program has is found out with this. */
const placeholder: DialectValue = { code: { kind: "identifier", name: "value" }, type: undefined };

/** The same with another value of `$`. */
export const withContext = (scope: Scope, context: Printed): Scope => ({ ...scope, context });

/** The same with one more variable. */
export const withLocal = (scope: Scope, name: string, local: Local): Scope => ({
  ...scope,
  locals: new Map([...scope.locals, [name, local]]),
});
