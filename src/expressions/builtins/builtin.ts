import type { Json } from "../../json.ts";
import { any, anyArray, anyObject, boolean, calculated, nullShape, type Shape, string } from "../../shapes/index.ts";
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
}

/** A function of values: called once for each combination of its arguments' outputs, the first argument varying slowest; one result each. */
export interface ValueFunction extends Described {
  readonly kind: "value";
  apply(...values: readonly Json[]): Json;
  /** What it gives for values of these shapes, none of which is impossible. */
  readonly shape: (shapes: readonly Shape[], args: readonly Expression[]) => Shape;
  /** The function of the runtime that does the same. */
  readonly javascript: string;
  /**
   * What it is where jq tells paths: defined by jq itself, so that it does not look whether its input stands at a place; and if it `copies`, it gives
   * that input where there is nothing to do, which then still stands there. Absent: what jq does there is not known, or is told by how it is written.
   */
  readonly inPaths?: { readonly isNative: boolean; readonly copies: boolean } | undefined;
}

/** A function of expressions: it decides how much of each argument is evaluated. The JavaScript compiler writes it in place. */
export interface StreamFunction extends Described {
  readonly kind: "stream";
  apply(...closures: readonly Closure[]): Iterable<Json>;
  /** How many outputs a call has. */
  readonly outputs: (args: readonly Expression[], outputsOf: (argument: Expression) => Outputs) => Outputs;
  readonly infer: (args: readonly Expression[], outcomeOf: (argument: Expression) => Outcome) => Outcome;
  /** Whether it makes outputs without anything being evaluated for each, perhaps without an end. */
  readonly isEndless?: true;
  /** Whether it applies regular expressions, some of which take endless time. */
  readonly searches?: true;
}

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
): StreamFunction {
  return {
    ...stream(name, arity, meaning),
    returns: "boolean",
    apply: (...closures) => [holds(...(closures as [Closure, Closure, Closure]))],
    outputs: () => "one",
    infer: (args, outcomeOf) => ({ ...severalOf(boolean, args, outcomeOf), some: true }),
  };
}

/** Values of one shape, any number of them; the arguments are looked at for the paths in them. */
export function severalOf(
  shape: Shape,
  args: readonly Expression[],
  outcomeOf: (argument: Expression) => Outcome,
): Outcome {
  for (const argument of args) outcomeOf(argument);
  return { shape, some: false };
}

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
