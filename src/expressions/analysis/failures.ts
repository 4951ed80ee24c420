import {
  alternatives,
  childOf,
  memberOf,
  nullType,
  plainTypeName,
  type Type,
  typeNameOf,
  union,
} from "../../types/index.ts";
import { builtinOf } from "../builtins/builtins.ts";
import { operatorCanFail } from "../builtins/operators.ts";
import type { Access, Call, Expression, Update } from "../core/ast.ts";
import { isBinary, sliceBounds } from "../core/views.ts";
import type { JqTypeName } from "../library/types.ts";

// Whether single operations may fail for the types of their operands, except by exceeding a limit. Conservative.

type TypeOfPart = (part: Expression) => Type;

/** Whether `source[key]` may fail. */
export function accessMayFail(expression: Access, typeOf: TypeOfPart): boolean {
  if (expression.optional) return false;
  const { source, key } = expression;
  const into = typeOf(source);
  const bounds = sliceBounds(expression);
  if (bounds)
    return (
      !isOfType(into, "array", "string", "null") || bounds.some((bound) => !isOfType(typeOf(bound), "number", "null"))
    );
  const at = typeOf(key);
  if (isOfType(at, "string")) return !isOfType(into, "object", "null");
  return !isOfType(at, "number") || !isOfType(into, "array", "null");
}

/** Whether `E[]` may fail for values of a type. */
export const iterationMayFail = (within: Type): boolean => !isOfType(within, "array", "object");

/** Whether a computed key may be something other than a string. */
export const keyMayFail = (key: Type): boolean => !isOfType(key, "string");

/** Whether a call of a builtin over values or streams may fail, apart from its arguments. */
export function builtinMayFail(call: Call, typeOf: TypeOfPart): boolean {
  const { name, args } = call;
  if (isBinary(call)) {
    const [lefts, rights] = call.args.map((side) => alternatives(typeOf(side)).map(plainTypeName));
    return lefts!.some((a) => rights!.some((b) => operatorCanFail(call.name, a, b)));
  }
  const types = neverFailsFor.get(`${name}/${args.length}`);
  if (types?.every((some, i) => isOfType(typeOf(args[i]!), ...some))) return false;
  return builtinOf(name, args.length)?.canFail(args, (argument) => typeNameOf(typeOf(argument))) ?? false;
}

/** Types for which builtins never fail. */
const neverFailsFor: ReadonlyMap<string, readonly (readonly JqTypeName[])[]> = new Map([
  ["length/1", [["null", "number", "string", "array", "object"]]],
  ["keys/1", [["array", "object"]]],
  ["has/2", [["object", "null"], ["string"]]],
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

/** The type of what an update replaces in values of a type; undefined if its paths may fail. */
export function replacedType({ args: [path] }: Update, input: Type): Type | undefined {
  const steps: (string | undefined)[] = [];
  let at: Expression = path;
  for (let step = lastStep(at); step; step = lastStep(at)) {
    steps.unshift(step.name);
    at = step.source;
  }
  if (at.kind !== "identity") return undefined;
  let type = input;
  for (const name of steps) {
    const isAllowed = name === undefined ? isOfType(type, "array", "object") : isOfType(type, "object", "null");
    if (!isAllowed) return undefined;
    const { type: found, presence } =
      name === undefined ? { type: childOf(type), presence: "always" } : memberOf(type, name);
    type = presence === "always" ? found : union(found, nullType);
  }
  return type;
}

/** `name` is undefined for `[]`. */
function lastStep(path: Expression): { readonly source: Expression; readonly name: string | undefined } | undefined {
  if (path.kind === "iterate" && !path.optional) return { source: path.source, name: undefined };
  if (path.kind !== "access" || path.optional || path.key.kind !== "literal") return undefined;
  return typeof path.key.value === "string" ? { source: path.source, name: path.key.value } : undefined;
}

const isOfType = (type: Type, ...types: readonly JqTypeName[]): boolean =>
  alternatives(type).every((part) => types.includes(plainTypeName(part)));
