import {
  alternatives,
  any,
  childOf,
  fuelOf,
  memberOf,
  nullShape,
  type Shape,
  truthOf,
  typeOfPart,
  typeOfShape,
  union,
} from "../../types/index.ts";
import { builtinOf } from "../builtins/builtins.ts";
import type { Access, Binary, Call, Expression, Foreach, Iterate, Reduce, Slice, Update } from "../core/ast.ts";
import { childrenOf } from "../core/walk.ts";
import type { TypeName } from "../library/types.ts";
import { calculationFails, canFail, factsOf } from "./effects.ts";
import { isTakenApart } from "./path-reads.ts";
import { type Context, type Given, infer, inside, mostParts, stateOf, where } from "./types.ts";

/**
 * Whether an expression may fail, other than by a limit, where it is known what `.` and the variables are: `.log + ["a"]` cannot where `.` is an object with
 * a list as its `log`. Of larger expressions that may fail for some values it is not asked for which.
 */
export function failsWithin(expression: Expression, given: Given): boolean {
  if (!canFail(expression)) return false;
  return factsOf(expression).weight.size > largest || fails(expression, { ...given, fuel: fuelOf(mostParts) });
}

/** So large an expression is looked at: each of its parts anew for what is around it. */
const largest = 400;

function fails(expression: Expression, context: Context): boolean {
  if (!canFail(expression)) return false;
  const shapeOf = (part: Expression): Shape => infer(part, context).shape;
  switch (expression.kind) {
    case "access":
      return anyFails(expression, context) || (!expression.optional && accessFails(expression, shapeOf));
    case "slice":
      return anyFails(expression, context) || (!expression.optional && sliceFails(expression, shapeOf));
    case "iterate":
      return anyFails(expression, context) || (!expression.optional && iterationFails(expression, shapeOf));
    case "binary":
      return anyFails(expression, context) || operationFails(expression, shapeOf);
    case "call":
      return isFirst(expression)
        ? firstFails(expression, context)
        : anyFails(expression, context) || callFails(expression, shapeOf);
    case "object":
      return anyFails(expression, context) || !expression.entries.every(({ key }) => isOf(shapeOf(key), "string"));
    case "array":
    case "comma":
    case "logic":
    case "alternative":
    case "interpolation":
      return anyFails(expression, context);
    case "if": {
      const truth = truthOf(shapeOf(expression.condition));
      return (
        fails(expression.condition, context) ||
        (truth !== "never" && fails(expression.then, where(expression.condition, context))) ||
        (truth !== "always" && fails(expression.otherwise, context))
      );
    }
    case "pipe":
      return (
        fails(expression.left, context) || fails(expression.right, inside(context, { input: shapeOf(expression.left) }))
      );
    case "let":
      return (
        isTakenApart(expression) ||
        fails(expression.value, context) ||
        fails(expression.body, withVariable(context, expression.name, shapeOf(expression.value)))
      );
    case "reduce":
    case "foreach":
      return foldFails(expression, context);
    case "update":
      return updateFails(expression, context);
    case "try":
      return expression.handler !== undefined && fails(expression.handler, inside(context, { input: any }));
    default:
      return true;
  }
}

/** Whether one of the parts fails of an expression in which all have the same `.` and variables. */
const anyFails = (expression: Expression, context: Context): boolean =>
  childrenOf(expression).some((child) => fails(child.expression, context));

const withVariable = (context: Context, name: string, shape: Shape): Context =>
  inside(context, { variables: { get: (wanted) => (wanted === name ? shape : context.variables.get(wanted)) } });

const isOf = (shape: Shape, ...types: readonly TypeName[]): boolean =>
  alternatives(shape).every((part) => types.includes(typeOfPart(part)));

type ShapeOf = (part: Expression) => Shape;

function accessFails({ source, key }: Access, shapeOf: ShapeOf): boolean {
  const [into, at] = [shapeOf(source), shapeOf(key)];
  if (isOf(at, "string")) return !isOf(into, "object", "null");
  return !isOf(at, "number") || !isOf(into, "array", "null");
}

const sliceFails = ({ source, from, upTo }: Slice, shapeOf: ShapeOf): boolean =>
  !isOf(shapeOf(source), "array", "string", "null") ||
  [from, upTo].some((bound) => bound && !isOf(shapeOf(bound), "number", "null"));

const iterationFails = ({ source }: Iterate, shapeOf: ShapeOf): boolean => !isOf(shapeOf(source), "array", "object");

function operationFails({ operator, left, right }: Binary, shapeOf: ShapeOf): boolean {
  const [lefts, rights] = [left, right].map((side) => alternatives(shapeOf(side)).map(typeOfPart));
  return lefts!.some((a) => rights!.some((b) => calculationFails(operator, a, b)));
}

const isFirst = ({ name, args }: Call): boolean => name === "first" && args.length === 1;

/** Whether the first of several outputs fails: what comes after one that is surely there is not evaluated. */
function firstFails({ args: [several] }: Call, context: Context): boolean {
  for (const part of several!.kind === "comma" ? several!.items : [several!]) {
    if (fails(part, context)) return true;
    if (infer(part, context).some) return false;
  }
  return false;
}

function callFails({ name, args }: Call, shapeOf: ShapeOf): boolean {
  const types = surely.get(`${name}/${args.length}`);
  if (types?.every((some, i) => isOf(shapeOf(args[i]!), ...some))) return false;
  return builtinOf(name, args.length)?.fails(args, (argument) => typeOfShape(shapeOf(argument))) ?? false;
}

/** The types of inputs and arguments for which functions of jq do not fail. */
const surely: ReadonlyMap<string, readonly (readonly TypeName[])[]> = new Map([
  ["length/1", [["null", "number", "string", "array", "object"]]],
  ["keys/1", [["array", "object"]]],
  ["has/2", [["object"], ["string"]]],
  ["to_entries/1", [["object"]]],
  ["reverse/1", [["array"]]],
  ["sort/1", [["array"]]],
  ["unique/1", [["array"]]],
  ["floor/1", [["number"]]],
  ["ceil/1", [["number"]]],
  ["round/1", [["number"]]],
  ["ascii_downcase/1", [["string"]]],
  ["ascii_upcase/1", [["string"]]],
]);

function foldFails(expression: Reduce | Foreach, context: Context): boolean {
  const { source, initial, update } = expression;
  if (fails(source, context) || fails(initial, context)) return true;
  const { state, variables, updated } = stateOf(expression, context);
  if (fails(update, inside(context, { input: state, variables }))) return true;
  return expression.kind === "foreach" && fails(expression.extract, inside(context, { input: updated, variables }));
}

/** Whether a change may fail: only of members and all elements it is known that it does not. */
function updateFails({ path, value }: Update, context: Context): boolean {
  const steps: (string | undefined)[] = [];
  let at = path;
  for (let step = stepOf(at); step; step = stepOf(at)) {
    steps.unshift(step.name);
    at = step.source;
  }
  if (at.kind !== "identity") return true;
  let shape = context.input;
  for (const name of steps) {
    if (!isOf(shape, ...(name === undefined ? (["array", "object"] as const) : (["object", "null"] as const))))
      return true;
    const { shape: found, presence } =
      name === undefined ? { shape: childOf(shape), presence: "always" } : memberOf(shape, name);
    shape = presence === "always" ? found : union(found, nullShape);
  }
  return fails(value, inside(context, { input: shape }));
}

/** The last step of a path of members and elements: that without a name is all of them. */
function stepOf(path: Expression): { readonly source: Expression; readonly name: string | undefined } | undefined {
  if (path.kind === "iterate" && !path.optional) return { source: path.source, name: undefined };
  if (path.kind !== "access" || path.optional || path.key.kind !== "literal") return undefined;
  return typeof path.key.value === "string" ? { source: path.source, name: path.key.value } : undefined;
}
