import type { Json } from "../../json.ts";
import { any, anyArray, anyNumber, anyObject, boolean, nullType, string, type Type } from "../../types/index.ts";
import type { Expression } from "../core/ast.ts";
import type { JqTypeName } from "../library/types.ts";

/**
 * A builtin and everything the compiler knows about it. Target printers have their own tables; a test compares them.
 */
export type Builtin = ValueFunction | StreamFunction;

interface BuiltinBase {
  readonly name: string;
  readonly arity: number;
  /** Documentation: a sentence that begins with the call. */
  readonly meaning: string;
  /** The type of every output, if constant. */
  readonly returns?: JqTypeName | undefined;
  /** Whether a call may fail although its arguments do not. */
  readonly canFail: (args: readonly Expression[], typeOf: (argument: Expression) => JqTypeName | undefined) => boolean;
  /** Default: `ExpressionError`. */
  readonly errorName?: string | undefined;
  /** Simplifies a call whose arguments are already simplified. */
  readonly simplify?: ((args: readonly Expression[], known: Analysis) => Expression | undefined) | undefined;
  readonly negated?: ((args: readonly Expression[]) => Expression) | undefined;
  readonly comparison?: ((args: readonly Expression[]) => Comparison | undefined) | undefined;
  /** Undefined if unknown or dependent on the arguments. */
  readonly pathBehavior?: PathBehavior | undefined;
}

/** A comparison; a missing value equals nothing and differs only from null. */
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
   * everywhere, or only if `.` is the value at the current path.
   */
  | { readonly kind: "value"; readonly copies: boolean; readonly known: "here" | "everywhere" }
  /** Its input if there is nothing to do; otherwise unknown. */
  | { readonly kind: "copy" }
  /** Outputs of its last argument with their paths, selected by the others. */
  | { readonly kind: "choice"; readonly choose: SelectOutputs }
  /** The last output of its argument, at the path of `.`. */
  | { readonly kind: "last" }
  /** The path that is its last argument. */
  | { readonly kind: "path" }
  /** An error with the value of its argument. */
  | { readonly kind: "failure" };

/** Selects outputs of a stream by the preceding arguments. */
export type SelectOutputs = <T>(args: readonly Closure[], stream: () => Iterable<T>) => Iterable<T>;

/** A builtin over values: one result per combination of argument outputs (the first varies slowest). */
export interface ValueFunction extends BuiltinBase {
  readonly kind: "value";
  apply(...values: readonly Json[]): Json;
  /** None of `types` is `never`. */
  readonly type: (types: readonly Type[], args: readonly Expression[]) => Type;
  /** The runtime function in compiled programs. */
  readonly javascript: string;
}

/** A builtin over closures, which it evaluates as far as needed. */
export interface StreamFunction extends BuiltinBase {
  readonly kind: "stream";
  apply(...closures: readonly Closure[]): Iterable<Json>;
  readonly javascript: StreamCall | InlineForm;
  readonly outputs: (args: readonly Expression[], outputsOf: (argument: Expression) => Outputs) => Outputs;
  readonly infer: (args: readonly Expression[], outcomeOf: (argument: Expression) => CallOutcome) => CallOutcome;
  /** Whether it may yield infinitely many outputs without evaluating anything. */
  readonly isEndless?: true;
  /** Regular expressions may take unbounded time. */
  readonly usesRegex?: true;
}

/** How compiled programs call a stream builtin. */
export interface StreamCall {
  readonly name: string;
  /**
   * The form of each argument: the array of all outputs (`all`), the first output or undefined (`first`), an array of
   * that (`firstInArray`), or a constant string.
   */
  readonly argumentForms: readonly ("all" | "first" | "firstInArray" | "constant")[];
  /** Whether the result undefined means no output. */
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
  /** Assuming that the expression does not fail. */
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

/** Any number of outputs of one type; infers the arguments for the observer of paths. */
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
