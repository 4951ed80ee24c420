import type { Json } from "../../json.ts";
import { any, anyArray, anyNumber, anyObject, boolean, nullType, string, type Type } from "../../types/index.ts";
import type { Expression } from "../core/ast.ts";
import type { JqTypeName } from "../library/types.ts";

/** A builtin and everything the compiler knows about it. Target printers have their own tables. */
export type Builtin = ValueFunction | StreamFunction | FormFunction;

interface BuiltinBase {
  readonly name: string;
  readonly arity: number;
  readonly meaning: string;
  readonly returns?: JqTypeName | undefined;
  /** Assumes that the arguments do not fail. */
  readonly canFail: (args: readonly Expression[], typeOf: (argument: Expression) => JqTypeName | undefined) => boolean;
  /** Default: `ExpressionError`. */
  readonly errorName?: string | undefined;
  readonly simplify?: ((args: readonly Expression[], known: Analysis) => Expression | undefined) | undefined;
  readonly negated?: ((args: readonly Expression[]) => Expression) | undefined;
  readonly comparison?: ((args: readonly Expression[]) => Comparison | undefined) | undefined;
  /** Undefined if it depends on the arguments. */
  readonly pathBehavior?: PathBehavior | undefined;
}

/** A comparison; a missing value differs only from null. */
export interface Comparison {
  readonly left: Expression;
  readonly operator: Json;
  readonly right: Expression;
}

/** The analyses available to simplification. */
export interface Analysis {
  readonly typeOf: (expression: Expression) => JqTypeName | undefined;
  readonly outputsOf: (expression: Expression) => Outputs;
  readonly canFail: (expression: Expression) => boolean;
}

/** How a builtin behaves in path mode. */
export type PathBehavior =
  /**
   * A value without a path. If it `copies`, it may return its input, with its path. Otherwise jq's behavior is `known`
   * everywhere, or only at the current path.
   */
  | { readonly kind: "value"; readonly copies: boolean; readonly known: "here" | "everywhere" }
  /** Unknown if it changes its input. */
  | { readonly kind: "copy" }
  /** Outputs of the last argument with their paths, chosen by the others. */
  | { readonly kind: "choice"; readonly choose: SelectOutputs }
  /** The last output of its argument, at the path of `.`. */
  | { readonly kind: "last" }
  /** The path that is its last argument. */
  | { readonly kind: "path" }
  /** An error with the value of its argument. */
  | { readonly kind: "failure" };

/** Selects outputs of a stream by the preceding arguments. */
export type SelectOutputs = <T>(args: readonly Closure[], stream: () => Iterable<T>) => Iterable<T>;

/** A builtin over values, called per combination of argument outputs (the first varies slowest). */
export interface ValueFunction extends BuiltinBase {
  readonly kind: "value";
  apply(...values: readonly Json[]): Json;
  /** No type is `never`. */
  readonly type: (types: readonly Type[], args: readonly Expression[]) => Type;
  readonly javascript: string;
}

/** A builtin over closures, which it evaluates as far as needed. */
export interface StreamFunction extends BuiltinBase {
  readonly kind: "stream";
  apply(...closures: readonly Closure[]): Iterable<Json>;
  readonly javascript: StreamCall | InlineForm;
  readonly outputs: (args: readonly Expression[], outputsOf: (argument: Expression) => Outputs) => Outputs;
  readonly infer: (args: readonly Expression[], outcomeOf: (argument: Expression) => CallOutcome) => CallOutcome;
  /** It may yield infinitely many outputs without evaluating anything. */
  readonly isEndless?: true;
  readonly usesRegex?: true;
}

/** A builtin that evaluates its arguments in a way of its own, known to each analysis and printer. */
export interface FormFunction extends BuiltinBase {
  readonly kind: "form";
  readonly outputs: (args: readonly Expression[], outputsOf: (argument: Expression) => Outputs) => Outputs;
}

/** How compiled programs call a stream builtin. */
export interface StreamCall {
  readonly name: string;
  /** The form of each argument: all outputs, the first output or undefined, an array of that, or a constant string. */
  readonly argumentForms: readonly ("all" | "first" | "firstInArray" | "constant")[];
  /** Undefined means no output. */
  readonly isOptional?: boolean;
}

/** Calls compiled inline. */
export type InlineForm =
  | "first"
  | "last"
  | "limit"
  | "skip"
  | "range"
  | "exists"
  | "truthy"
  | "attribute"
  | "count"
  | "matches"
  | "searches";

/** An argument, evaluated on demand and from the beginning each time. */
export type Closure = () => Iterable<Json>;

/** The number of outputs if nothing fails; `optional`: at most one. */
export type Outputs = "none" | "one" | "optional" | "many";

/** The inferred outputs of an expression. */
export interface CallOutcome {
  readonly type: Type;
  readonly isNonEmpty: boolean;
}

/** The type of results with this type name. */
export const typeOfName = (type: JqTypeName | undefined): Type => (type === undefined ? any : typesByName[type]);

/** A value builtin that never fails. */
export function valueBuiltin(name: string, arity: number, meaning: string): BuiltinHead<ValueFunction> {
  return { kind: "value", name, arity, meaning, canFail: () => false };
}

/** A stream builtin that never fails. */
export function streamBuiltin(name: string, arity: number, meaning: string): BuiltinHead<StreamFunction> {
  return { kind: "stream", name, arity, meaning, canFail: () => false };
}

/** A stream builtin that yields one boolean. */
export function predicateBuiltin(
  name: string,
  arity: number,
  meaning: string,
  holds: (...closures: [Closure, Closure, Closure]) => boolean,
): Omit<StreamFunction, "javascript"> {
  return {
    ...streamBuiltin(name, arity, meaning),
    returns: "boolean",
    apply: (...closures) => [holds(...(closures as [Closure, Closure, Closure]))],
    outputs: () => "one",
    infer: (args, outcomeOf) => ({ ...inferAnyNumber(boolean, args, outcomeOf), isNonEmpty: true }),
  };
}

/** A builtin that selects outputs of its last argument. */
export const selectingBuiltin = (choose: SelectOutputs): Pick<StreamFunction, "apply" | "pathBehavior"> => ({
  apply: (...closures) => choose(closures.slice(0, -1), closures.at(-1)!),
  pathBehavior: { kind: "choice", choose },
});

/** Any number of outputs of one type. */
export function inferAnyNumber(
  type: Type,
  args: readonly Expression[],
  outcomeOf: (argument: Expression) => CallOutcome,
): CallOutcome {
  for (const argument of args) outcomeOf(argument);
  return { type, isNonEmpty: false };
}

/** Whether an expression yields exactly one value without failing. */
export const isTotalIn = (known: Analysis, expression: Expression): boolean =>
  known.outputsOf(expression) === "one" && !known.canFail(expression);

/** Whether an expression yields nothing without failing. */
export const isNothingIn = (known: Analysis, expression: Expression): boolean =>
  known.outputsOf(expression) === "none" && !known.canFail(expression);

/** The value of a literal. */
export const constantOf = (expression: Expression | undefined): Json | undefined =>
  expression?.kind === "literal" ? expression.value : undefined;

/** The number of outputs of one expression per output of another. */
export function times(a: Outputs, b: Outputs): Outputs {
  if (a === "none" || b === "none") return "none";
  if (a === "one") return b;
  if (b === "one") return a;
  return a === "many" || b === "many" ? "many" : "optional";
}

type BuiltinHead<Kind extends Builtin> = Pick<Kind, "kind" | "name" | "arity" | "meaning" | "canFail">;

const typesByName: { readonly [name in JqTypeName]: Type } = {
  null: nullType,
  boolean,
  number: anyNumber,
  string,
  array: anyArray,
  object: anyObject,
};
