import { oneOf, union } from "../../shapes/lattice.ts";
import { alternatives, childOf, elementOf, truthOf, truthShape, typeOfPart } from "../../shapes/members.ts";
import {
  differenceShape,
  mergedDeeply,
  mergeResultShapes,
  mergeShapes,
  overlaid,
  placeShape,
} from "../../shapes/merge.ts";
import {
  any,
  anyArray,
  anyObject,
  arrayOf,
  boolean,
  calculated,
  integer,
  isNever,
  literal,
  type NumberShape,
  never,
  nullShape,
  type ObjectShape,
  type PlainShape,
  recordOf,
  type Shape,
  string,
} from "../../shapes/shape.ts";
import { type Builtin, builtinOf } from "../builtins/builtins.ts";
import type { Binary, Call, Expression } from "../core/ast.ts";
import type { TypeName } from "../library/types.ts";
import { fixpoint, infer, type Outcome, type Scope, several } from "./infer.ts";

/** What an operator gives for values of two shapes; where it fails it gives nothing. */
export function calculatedShape(operator: Binary["operator"], left: Shape, right: Shape): Shape {
  if (isNever(left) || isNever(right)) return never;
  const [lefts, rights] = [alternatives(left), alternatives(right)];
  switch (operator) {
    case "+":
      return sum(lefts, rights);
    case "-":
      return union(
        numeric(operator, lefts, rights),
        ...(rights.some(({ kind }) => kind === "array") ? arrays(lefts) : []),
      );
    case "*":
      return product(lefts, rights);
    case "/":
      return union(numeric(operator, lefts, rights), texts(lefts) && texts(rights) ? arrayOf(string) : never);
    case "%":
      return numeric(operator, lefts, rights);
    default:
      return comparison(operator, lefts, rights);
  }
}

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

function sum(lefts: readonly PlainShape[], rights: readonly PlainShape[]): Shape {
  const hasNull = (parts: readonly PlainShape[]) => parts.some(({ kind }) => kind === "null");
  const [a, b] = [arrays(lefts), arrays(rights)];
  return union(
    hasNull(lefts) ? union(...rights) : never,
    hasNull(rights) ? union(...lefts) : never,
    numeric("+", lefts, rights),
    texts(lefts) && texts(rights) ? string : never,
    ...(a.length > 0 && b.length > 0 ? [...a, ...b] : []),
    overlaid(objects(lefts), objects(rights)),
  );
}

/** A text times a number is repeated; a negative number gives null. */
function product(lefts: readonly PlainShape[], rights: readonly PlainShape[]): Shape {
  const isRepeated = (texts(lefts) && numbers(rights).length > 0) || (numbers(lefts).length > 0 && texts(rights));
  return union(
    numeric("*", lefts, rights),
    isRepeated ? union(nullShape, string) : never,
    mergedDeeply(objects(lefts), objects(rights)),
  );
}

const arrays = (parts: readonly PlainShape[]): readonly Shape[] => parts.filter(({ kind }) => kind === "array");

const objects = (parts: readonly PlainShape[]): readonly ObjectShape[] =>
  parts.filter((part) => part.kind === "object");

const texts = (parts: readonly PlainShape[]): boolean =>
  parts.some((part) => part.kind === "string" || (part.kind === "literal" && typeof part.value === "string"));

/** The numbers among shapes. */
const numbers = (parts: readonly PlainShape[]): readonly NumberShape[] =>
  parts.flatMap((part): readonly NumberShape[] => {
    if (part.kind === "number") return [part];
    return part.kind === "literal" && typeof part.value === "number"
      ? [{ kind: "number", integer: Number.isInteger(part.value) }]
      : [];
  });

/** Finite numbers can give an infinite one, and only infinite ones no number. */
function numeric(operator: Binary["operator"], lefts: readonly PlainShape[], rights: readonly PlainShape[]): Shape {
  const [a, b] = [numbers(lefts), numbers(rights)];
  if (a.length === 0 || b.length === 0) return never;
  const integer = operator === "%" || (operator !== "/" && [...a, ...b].every((part) => part.integer));
  const [x, y] = [a, b].map((parts) => parts.some(({ beyond }) => beyond !== undefined)) as [boolean, boolean];
  const isNumber = operator === "%" || operator === "*" ? !x && !y : !(x && y);
  const stays = [...a, ...b].every(({ beyond }) => beyond !== "nan");
  return { kind: "number", integer, beyond: isNumber && stays ? "infinite" : "nan" };
}

/** Known where both sides are one scalar; else one of the two. */
function comparison(
  operator: Binary["operator"],
  [left, ...lefts]: readonly PlainShape[],
  [right, ...rights]: readonly PlainShape[],
): Shape {
  const isEquality = operator === "==" || operator === "!=";
  if (!isEquality || lefts.length + rights.length > 0 || left?.kind !== "literal" || right?.kind !== "literal")
    return boolean;
  return literal((left.value === right.value) === (operator === "=="));
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
      return oneOf(...alternatives(first).map(typeOfPart));
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
