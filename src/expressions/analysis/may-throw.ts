import {
  alternatives,
  any,
  childOf,
  fuelOf,
  memberOf,
  nullType,
  plainTypeName,
  type Type,
  truthOf,
  typeNameOf,
  union,
} from "../../types/index.ts";
import { builtinOf } from "../builtins/builtins.ts";
import type { Access, Binary, Call, Expression, Foreach, Iterate, Reduce, Slice, Update } from "../core/ast.ts";
import { childrenOf } from "../core/walk.ts";
import type { TypeName } from "../library/types.ts";
import { calculationFails, canFail, factsOf } from "./effects.ts";
import { isTakenApart } from "./path-mode.ts";
import { type Context, type Given, infer, inside, mostParts, stateOf, where } from "./types.ts";

/**
 * Whether an expression may fail, other than by exceeding a limit, given the types of `.` and the variables.
 * Conservative: large expressions that may fail for some values are not analyzed further.
 */
export function failsWithin(expression: Expression, given: Given): boolean {
  if (!canFail(expression)) return false;
  return factsOf(expression).weight.size > largest || fails(expression, { ...given, fuel: fuelOf(mostParts) });
}

/** The analysis revisits each node once per context, so its size is bounded. */
const largest = 400;

function fails(expression: Expression, context: Context): boolean {
  if (!canFail(expression)) return false;
  const inferType = (part: Expression): Type => infer(part, context).type;
  switch (expression.kind) {
    case "access":
      return anyFails(expression, context) || (!expression.optional && accessFails(expression, inferType));
    case "slice":
      return anyFails(expression, context) || (!expression.optional && sliceFails(expression, inferType));
    case "iterate":
      return anyFails(expression, context) || (!expression.optional && iterationFails(expression, inferType));
    case "binary":
      return anyFails(expression, context) || operationFails(expression, inferType);
    case "call":
      return isFirst(expression)
        ? firstFails(expression, context)
        : anyFails(expression, context) || callFails(expression, inferType);
    case "object":
      return anyFails(expression, context) || !expression.entries.every(({ key }) => isOf(inferType(key), "string"));
    case "array":
    case "comma":
    case "logic":
    case "alternative":
    case "interpolation":
      return anyFails(expression, context);
    case "if": {
      const truth = truthOf(inferType(expression.condition));
      return (
        fails(expression.condition, context) ||
        (truth !== "never" && fails(expression.then, where(expression.condition, context))) ||
        (truth !== "always" && fails(expression.otherwise, context))
      );
    }
    case "pipe":
      return (
        fails(expression.left, context) ||
        fails(expression.right, inside(context, { input: inferType(expression.left) }))
      );
    case "let":
      return (
        isTakenApart(expression) ||
        fails(expression.value, context) ||
        fails(expression.body, withVariable(context, expression.name, inferType(expression.value)))
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

/** Whether a child may fail, for expressions that evaluate all children in their own scope. */
const anyFails = (expression: Expression, context: Context): boolean =>
  childrenOf(expression).some((child) => fails(child.expression, context));

const withVariable = (context: Context, name: string, type: Type): Context =>
  inside(context, { variables: { get: (wanted) => (wanted === name ? type : context.variables.get(wanted)) } });

const isOf = (type: Type, ...types: readonly TypeName[]): boolean =>
  alternatives(type).every((part) => types.includes(plainTypeName(part)));

type TypeOf = (part: Expression) => Type;

function accessFails({ source, key }: Access, inferType: TypeOf): boolean {
  const [into, at] = [inferType(source), inferType(key)];
  if (isOf(at, "string")) return !isOf(into, "object", "null");
  return !isOf(at, "number") || !isOf(into, "array", "null");
}

const sliceFails = ({ source, from, upTo }: Slice, inferType: TypeOf): boolean =>
  !isOf(inferType(source), "array", "string", "null") ||
  [from, upTo].some((bound) => bound && !isOf(inferType(bound), "number", "null"));

const iterationFails = ({ source }: Iterate, inferType: TypeOf): boolean => !isOf(inferType(source), "array", "object");

function operationFails({ operator, left, right }: Binary, inferType: TypeOf): boolean {
  const [lefts, rights] = [left, right].map((side) => alternatives(inferType(side)).map(plainTypeName));
  return lefts!.some((a) => rights!.some((b) => calculationFails(operator, a, b)));
}

const isFirst = ({ name, args }: Call): boolean => name === "first" && args.length === 1;

/** Outputs after the first are not evaluated. */
function firstFails({ args: [several] }: Call, context: Context): boolean {
  for (const part of several!.kind === "comma" ? several!.items : [several!]) {
    if (fails(part, context)) return true;
    if (infer(part, context).some) return false;
  }
  return false;
}

function callFails({ name, args }: Call, inferType: TypeOf): boolean {
  const types = surely.get(`${name}/${args.length}`);
  if (types?.every((some, i) => isOf(inferType(args[i]!), ...some))) return false;
  return builtinOf(name, args.length)?.fails(args, (argument) => typeNameOf(inferType(argument))) ?? false;
}

/** Input and argument types for which jq's builtins never fail. */
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

/** An update provably never fails only if its path consists of members and `[]`. */
function updateFails({ path, value }: Update, context: Context): boolean {
  const steps: (string | undefined)[] = [];
  let at = path;
  for (let step = stepOf(at); step; step = stepOf(at)) {
    steps.unshift(step.name);
    at = step.source;
  }
  if (at.kind !== "identity") return true;
  let type = context.input;
  for (const name of steps) {
    if (!isOf(type, ...(name === undefined ? (["array", "object"] as const) : (["object", "null"] as const))))
      return true;
    const { type: found, presence } =
      name === undefined ? { type: childOf(type), presence: "always" } : memberOf(type, name);
    type = presence === "always" ? found : union(found, nullType);
  }
  return fails(value, inside(context, { input: type }));
}

/** The last step of a member path; `name` is undefined for `[]`. */
function stepOf(path: Expression): { readonly source: Expression; readonly name: string | undefined } | undefined {
  if (path.kind === "iterate" && !path.optional) return { source: path.source, name: undefined };
  if (path.kind !== "access" || path.optional || path.key.kind !== "literal") return undefined;
  return typeof path.key.value === "string" ? { source: path.source, name: path.key.value } : undefined;
}
