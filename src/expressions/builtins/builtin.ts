import type { Json } from "../../json.ts";
import { any, anyArray, anyObject, boolean, calculated, nullShape, type Shape, string } from "../../types/index.ts";
import type { Expression } from "../core/ast.ts";
import type { TypeName } from "../library/types.ts";

/**
 * A function of the core, and all that the compiler knows of it: what it means, how a call of it is evaluated, what is known of a call without
 * evaluating it, and what compiled programs call. Facts, shapes, the evaluator and the JavaScript compiler read it; each printer of a target
 * has a table of its own, and a test holds it against the functions here.
 */
export type Builtin = ValueFunction | StreamFunction;

interface Described {
  readonly name: string;
  readonly arity: number;
  /** What a call gives, as a sentence that begins with the call. */
  readonly meaning: string;
  /** The type of every output, if it is always the same. */
  readonly returns?: TypeName | undefined;
  /** Whether a call can fail although its arguments do not. */
  readonly fails: (args: readonly Expression[], typeOf: (argument: Expression) => TypeName | undefined) => boolean;
  /** What the error is called with which calls fail, where it has a name of its own. Absent: as any expression's. */
  readonly failure?: string | undefined;
  /** The same said with less, for arguments that cannot be said with less themselves; undefined: nothing else. */
  readonly simplified?: ((args: readonly Expression[], known: Known) => Expression | undefined) | undefined;
  /** For a function that is true exactly where its argument is not: that. */
  readonly negates?: ((args: readonly Expression[]) => Expression) | undefined;
  /** For a comparison of what its arguments yield: what is compared, where the operator is written out. */
  readonly compares?: ((args: readonly Expression[]) => Comparison | undefined) | undefined;
  /** What a call is where jq tells paths. Absent: it is not known what jq does there, or it is told by how the call is written. */
  readonly inPaths?: InPaths | undefined;
}

/** A comparison of two values, either of which may be missing: it then equals nothing, and differs from all but null. */
export interface Comparison {
  readonly left: Expression;
  readonly operator: Json;
  readonly right: Expression;
}

/** What laws ask about expressions. */
export interface Known {
  readonly typeOf: (expression: Expression) => TypeName | undefined;
  readonly outputsOf: (expression: Expression) => Outputs;
  /** Whether it may fail, other than by a limit. */
  readonly canFail: (expression: Expression) => boolean;
}

/** What a function is where jq tells paths. */
export type InPaths =
  /**
   * A value that stands nowhere, whatever `.` stands at: jq defines the function itself. If it `copies`, it gives its input where there is nothing to do,
   * which then still stands there; else it is `known` where `.` is the value at the path, or everywhere.
   */
  | { readonly kind: "value"; readonly copies: boolean; readonly known: "here" | "everywhere" }
  /** Its input where there is nothing to do; what it is else is not known. */
  | { readonly kind: "copy" }
  /** Some of the places that its last argument leads to, chosen by the others. */
  | { readonly kind: "choice"; readonly choose: Choose }
  /** The last value that its argument leads to, at the place of `.`. */
  | { readonly kind: "last" }
  /** The place at the path that is its last argument. */
  | { readonly kind: "path" }
  /** A failure with the value that its argument leads to. */
  | { readonly kind: "failure" };

/** What is left of a stream for the values of the arguments before it. */
export type Choose = <T>(args: readonly Closure[], stream: () => Iterable<T>) => Iterable<T>;

/** A function of values: called once for each combination of its arguments' outputs, the first argument varying slowest; one result each. */
export interface ValueFunction extends Described {
  readonly kind: "value";
  apply(...values: readonly Json[]): Json;
  /** What it gives for values of these shapes, none of which is impossible. */
  readonly shape: (shapes: readonly Shape[], args: readonly Expression[]) => Shape;
  /** The function of the runtime that does the same. */
  readonly javascript: string;
}

/** A function of expressions: it decides how much of each argument is evaluated. */
export interface StreamFunction extends Described {
  readonly kind: "stream";
  apply(...closures: readonly Closure[]): Iterable<Json>;
  /** The function of the runtime that does the same, or the form that the compiler writes in place. */
  readonly javascript: StreamCall | WrittenInPlace;
  /** How many outputs a call has. */
  readonly outputs: (args: readonly Expression[], outputsOf: (argument: Expression) => Outputs) => Outputs;
  readonly infer: (args: readonly Expression[], outcomeOf: (argument: Expression) => Outcome) => Outcome;
  /** Whether it makes outputs without anything being evaluated for each, perhaps without an end. */
  readonly isEndless?: true;
  /** Whether it applies regular expressions, some of which take endless time. */
  readonly searches?: true;
}

/** How compiled programs call a function of the runtime for a function of expressions. */
export interface StreamCall {
  readonly name: string;
  /**
   * What it takes for each argument: the array of all outputs (`all`), the first output or undefined (`first`), an array of that (`firstInArray`), or the text
   * that is written out (`constant`).
   */
  readonly takes: readonly ("all" | "first" | "firstInArray" | "constant")[];
  /** Whether undefined, as its result, stands for no output. */
  readonly isOptional?: boolean;
}

/** The forms of calls that are written in place, as they decide how much of their arguments is evaluated, or need no function for it. */
export type WrittenInPlace =
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

/** An argument to be evaluated on demand, from the beginning each time. */
export type Closure = () => Iterable<Json>;

/** How many outputs an expression has where it does not fail: none, exactly one, at most one, or any number. */
export type Outputs = "none" | "one" | "optional" | "many";

/** What is known of the outputs of an expression. */
export interface Outcome {
  /** All outputs are of this shape. */
  readonly shape: Shape;
  /** Whether it has an output for certain, where it does not fail. */
  readonly some: boolean;
}

/** What is known of the results of a function by their type alone. */
export const shapeOfType = (type: TypeName | undefined): Shape => (type === undefined ? any : shapesOfTypes[type]);

/** What a function of values has in any case; it never fails, if nothing else is said. */
export function value(name: string, arity: number, meaning: string): Head<ValueFunction> {
  return { kind: "value", name, arity, meaning, fails: () => false };
}

/** What a function of expressions has in any case; it never fails, if nothing else is said. */
export function stream(name: string, arity: number, meaning: string): Head<StreamFunction> {
  return { kind: "stream", name, arity, meaning, fails: () => false };
}

/** A function that is true or false once, whatever its arguments yield. */
export function question(
  name: string,
  arity: number,
  meaning: string,
  holds: (...closures: [Closure, Closure, Closure]) => boolean,
): Omit<StreamFunction, "javascript"> {
  return {
    ...stream(name, arity, meaning),
    returns: "boolean",
    apply: (...closures) => [holds(...(closures as [Closure, Closure, Closure]))],
    outputs: () => "one",
    infer: (args, outcomeOf) => ({ ...severalOf(boolean, args, outcomeOf), some: true }),
  };
}

/** What a function is that chooses among the outputs of its last argument: of values, and of places. */
export const choosing = (choose: Choose): Pick<StreamFunction, "apply" | "inPaths"> => ({
  apply: (...closures) => choose(closures.slice(0, -1), closures.at(-1)!),
  inPaths: { kind: "choice", choose },
});

/** Values of one shape, any number of them; the arguments are looked at for the paths in them. */
export function severalOf(
  shape: Shape,
  args: readonly Expression[],
  outcomeOf: (argument: Expression) => Outcome,
): Outcome {
  for (const argument of args) outcomeOf(argument);
  return { shape, some: false };
}

/** Whether an expression surely gives exactly one value and does not fail. */
export const isTotalIn = (known: Known, expression: Expression): boolean =>
  known.outputsOf(expression) === "one" && !known.canFail(expression);

/** Whether an expression surely gives nothing and does not fail. */
export const isNothingIn = (known: Known, expression: Expression): boolean =>
  known.outputsOf(expression) === "none" && !known.canFail(expression);

/** The value of an expression that is written out. */
export const constantOf = (expression: Expression | undefined): Json | undefined =>
  expression?.kind === "literal" ? expression.value : undefined;

/** How many outputs there are of one thing for each of the outputs of another. */
export function times(a: Outputs, b: Outputs): Outputs {
  if (a === "none" || b === "none") return "none";
  if (a === "one") return b;
  if (b === "one") return a;
  return a === "many" || b === "many" ? "many" : "optional";
}

type Head<Kind extends Builtin> = Pick<Kind, "kind" | "name" | "arity" | "meaning" | "fails">;

const shapesOfTypes: { readonly [name in TypeName]: Shape } = {
  null: nullShape,
  boolean,
  number: calculated,
  string,
  array: anyArray,
  object: anyObject,
};
