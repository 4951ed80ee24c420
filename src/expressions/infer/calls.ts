import { alternatives, childOf, elementOf } from "../../shapes/members.ts";
import { differenceShape, mergeResultShapes, mergeShapes, placeShape } from "../../shapes/merge.ts";
import {
  any,
  anyArray,
  anyObject,
  arrayOf,
  boolean,
  calculated,
  integer,
  isNever,
  never,
  nullShape,
  type PlainShape,
  recordOf,
  type Shape,
  string,
} from "../../shapes/shape.ts";
import { truthOf, truthShape } from "../../shapes/truth.ts";
import { oneOf, union } from "../../shapes/union.ts";
import { type Builtin, builtinOf } from "../builtins/builtins.ts";
import type { Call, Expression } from "../core/ast.ts";
import type { TypeName } from "../library/types.ts";
import { calculatedShape } from "./arithmetic.ts";
import { fixpoint } from "./fixpoint.ts";
import { infer } from "./infer.ts";
import { type Outcome, type Scope, several } from "./scope.ts";

/** What a call of a function of the core gives. */
export function inferCall(call: Call, scope: Scope): Outcome {
  if (call.name === "first" && call.args.length === 1) return firstOf(call.args[0]!, scope);
  const outcomes = call.args.map((argument) => infer(argument, scope));
  const builtin = builtinOf(call.name, call.args.length);
  if (builtin?.kind !== "value") return streamed(call, outcomes, builtin);
  const some = outcomes.every((outcome) => outcome.some);
  if (outcomes.some(({ shape }) => isNever(shape))) return { shape: never, some };
  const shapes = outcomes.map(({ shape }) => shape);
  return { shape: valueFunction(call, shapes) ?? returned(builtin), some };
}

/** The first output of a sequence is among those up to the first part that has one for certain. */
function firstOf(argument: Expression, scope: Scope): Outcome {
  if (argument.kind !== "comma") return infer(argument, scope);
  const outcomes = argument.items.map((item) => infer(item, scope));
  const certain = outcomes.findIndex(({ some }) => some);
  const reached = certain < 0 ? outcomes : outcomes.slice(0, certain + 1);
  return { shape: union(...reached.map(({ shape }) => shape)), some: certain >= 0 };
}

function streamed({ name, args }: Call, [first, second]: readonly Outcome[], builtin: Builtin | undefined): Outcome {
  const given = first ?? several(any);
  switch (`${name}/${args.length}`) {
    case "last/1":
      return given;
    case "nodeValue/1":
      return several(given.shape);
    case "limit/2":
    case "skip/2":
      return several(second?.shape ?? any);
    case "exists/1":
      return {
        shape: isNever(given.shape) ? truthShape("never") : truthShape(given.some ? "always" : "maybe"),
        some: true,
      };
    case "truthy/1":
      return {
        shape: truthShape(given.some || isNever(given.shape) ? truthOf(given.shape) : someTruth(given.shape)),
        some: true,
      };
    case "isEmpty/1":
      return { shape: isNever(given.shape) ? truthShape("always") : boolean, some: true };
    case "nodeCount/1":
      return { shape: integer, some: true };
    case "nodeLength/1":
      return several(integer);
    default:
      return {
        shape: builtin ? returned(builtin) : any,
        some: builtin?.kind === "stream" && builtin.outputs === "one",
      };
  }
}

/** Of what may have no outputs: whether one of them is true. */
const someTruth = (shape: Shape) => (truthOf(shape) === "never" ? "never" : "maybe");

/** What functions of values give that say more than the type of their results. */
function valueFunction({ name, args }: Call, shapes: readonly Shape[]): Shape | undefined {
  const [first = any, second = any, third = any] = shapes;
  switch (name) {
    case "not":
      return truthShape(negated[truthOf(first)]);
    case "type":
      return oneOf(...alternatives(first).map(typeOf));
    case "error":
      return never;
    case "merge":
      return mergeShapes(first, second);
    case "mergeResult":
      return mergeResultShapes(first, second, third);
    case "difference":
      return differenceShape(first, second);
    case "place":
      return placed(first, args[1]!, third);
    case "_plus":
      return calculatedShape("+", first, second);
    case "_minus":
      return calculatedShape("-", first, second);
    case "_multiply":
      return calculatedShape("*", first, second);
    case "_divide":
      return calculatedShape("/", first, second);
    default:
      return collections.get(`${name}/${args.length}`)?.(first);
  }
}

const negated = { always: "never", maybe: "maybe", never: "always" } as const;

/** jq's name of the type of all values of a shape. */
const typeOf = (part: PlainShape): TypeName => (part.kind === "literal" ? (typeof part.value as TypeName) : part.kind);

function placed(target: Shape, path: Expression, value: Shape): Shape {
  if (path.kind !== "literal" || !Array.isArray(path.value)) return any;
  const names = path.value.map((name) => (typeof name === "string" ? name : JSON.stringify(name)));
  return placeShape(target, names, value);
}

/** Functions of arrays and objects. */
const collections: ReadonlyMap<string, (input: Shape) => Shape> = new Map<string, (input: Shape) => Shape>([
  [
    "length/1",
    (input) => (alternatives(input).some(({ kind }) => kind === "number" || kind === "literal") ? calculated : integer),
  ],
  [
    "add/1",
    (input) =>
      union(
        nullShape,
        fixpoint(childOf(input), (sum) => calculatedShape("+", sum, childOf(input))),
      ),
  ],
  ["keys/1", (input) => arrayOf(keysOf(input))],
  ["keys_unsorted/1", (input) => arrayOf(keysOf(input))],
  ["to_entries/1", (input) => arrayOf(recordOf([["key", keysOf(input)] as const, ["value", childOf(input)] as const]))],
  ["sort/1", (input) => arrayOf(elementOf(input))],
  ["unique/1", (input) => arrayOf(elementOf(input))],
  ["_sort_by_impl/2", (input) => arrayOf(elementOf(input))],
  ["_unique_by_impl/2", (input) => arrayOf(elementOf(input))],
  ["_group_by_impl/2", (input) => arrayOf(arrayOf(elementOf(input)))],
  ["min/1", (input) => union(elementOf(input), nullShape)],
  ["max/1", (input) => union(elementOf(input), nullShape)],
  ["_min_by_impl/2", (input) => union(elementOf(input), nullShape)],
  ["_max_by_impl/2", (input) => union(elementOf(input), nullShape)],
  ["split/2", () => arrayOf(string)],
]);

const keysOf = (shape: Shape): Shape =>
  union(...alternatives(shape).map(({ kind }) => (kind === "object" ? string : kind === "array" ? integer : never)));

/** What is known of the results of a function by their type alone. */
function returned({ returns }: Builtin): Shape {
  return returns === undefined ? any : types[returns];
}

const types: { readonly [name in TypeName]: Shape } = {
  null: nullShape,
  boolean,
  number: calculated,
  string,
  array: anyArray,
  object: anyObject,
};
