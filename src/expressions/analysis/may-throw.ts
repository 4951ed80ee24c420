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
import { operatorCanFail } from "../builtins/operators.ts";
import type { Access, Binary, Call, Expression, Fold, Iterate, Logic, Update } from "../core/ast.ts";
import { formOf, isBinary, isLogic, isUpdate, sliceBounds } from "../core/views.ts";
import { childrenOf } from "../core/walk.ts";
import type { JqTypeName } from "../library/types.ts";
import { canFail, effectsOf } from "./effects.ts";
import { narrow } from "./narrowing.ts";
import { isDestructuring } from "./path-mode.ts";
import {
  type InferenceContext,
  infer,
  inferFold,
  maxInferredNodes,
  nestedContext,
  type TypeEnvironment,
} from "./types.ts";

/** Whether an expression may fail in a type environment, except by exceeding a limit. Conservative. */
export function mayThrow(expression: Expression, given: TypeEnvironment): boolean {
  if (!canFail(expression)) return false;
  return (
    effectsOf(expression).weight.size > maxSize || mayThrowIn(expression, { ...given, fuel: fuelOf(maxInferredNodes) })
  );
}

/** Nodes are revisited once per context, so their number is bounded. */
const maxSize = 400;

function mayThrowIn(expression: Expression, context: InferenceContext): boolean {
  if (!canFail(expression)) return false;
  const inferType = (part: Expression): Type => infer(part, context).type;
  switch (expression.kind) {
    case "access":
      return anyChildMayThrow(expression, context) || (!expression.optional && accessMayThrow(expression, inferType));
    case "iterate":
      return (
        anyChildMayThrow(expression, context) || (!expression.optional && iterationMayThrow(expression, inferType))
      );
    case "call":
      return callMayThrow(expression, context);
    case "object":
      return (
        anyChildMayThrow(expression, context) ||
        !expression.entries.every(({ key }) => isOfType(inferType(key), "string"))
      );
    case "dialect":
      return expression.dialect.canFail(expression.text) || anyChildMayThrow(expression, context);
    case "array":
    case "comma":
      return anyChildMayThrow(expression, context);
    case "if": {
      const truth = truthOf(inferType(expression.condition));
      return (
        mayThrowIn(expression.condition, context) ||
        (truth !== "never" && mayThrowIn(expression.then, narrow(expression.condition, context))) ||
        (truth !== "always" && mayThrowIn(expression.otherwise, narrow(expression.condition, context, false)))
      );
    }
    case "pipe":
      return (
        mayThrowIn(expression.left, context) ||
        mayThrowIn(expression.right, nestedContext(context, { input: inferType(expression.left) }))
      );
    case "let":
      return (
        isDestructuring(expression) ||
        mayThrowIn(expression.value, context) ||
        mayThrowIn(expression.body, withVariable(context, expression.name, inferType(expression.value)))
      );
    case "fold":
      return foldMayThrow(expression, context);
    case "try":
      return expression.handler !== undefined && mayThrowIn(expression.handler, nestedContext(context, { input: any }));
    default:
      return true;
  }
}

const anyChildMayThrow = (expression: Expression, context: InferenceContext): boolean =>
  childrenOf(expression).some((child) => mayThrowIn(child.expression, context));

const withVariable = (context: InferenceContext, name: string, type: Type): InferenceContext =>
  nestedContext(context, { variables: { get: (wanted) => (wanted === name ? type : context.variables.get(wanted)) } });

const isOfType = (type: Type, ...types: readonly JqTypeName[]): boolean =>
  alternatives(type).every((part) => types.includes(plainTypeName(part)));

type TypeOfPart = (part: Expression) => Type;

function accessMayThrow(expression: Access, inferType: TypeOfPart): boolean {
  const { source, key } = expression;
  const into = inferType(source);
  const bounds = sliceBounds(expression);
  if (bounds)
    return (
      !isOfType(into, "array", "string", "null") ||
      bounds.some((bound) => !isOfType(inferType(bound), "number", "null"))
    );
  const at = inferType(key);
  if (isOfType(at, "string")) return !isOfType(into, "object", "null");
  return !isOfType(at, "number") || !isOfType(into, "array", "null");
}

const iterationMayThrow = ({ source }: Iterate, inferType: TypeOfPart): boolean =>
  !isOfType(inferType(source), "array", "object");

function callMayThrow(call: Call, context: InferenceContext): boolean {
  if (call.name === "first") return firstMayThrow(call, context);
  if (isUpdate(call)) return updateMayThrow(call, context);
  if (isLogic(call)) return logicMayThrow(call, context);
  const form = formOf(call);
  if (call.isLocal || form?.name === "recurse" || form?.name === "path") return true;
  return anyChildMayThrow(call, context) || (!form && builtinMayThrow(call, (part) => infer(part, context).type));
}

function logicMayThrow({ name, args: [left, right] }: Logic, context: InferenceContext): boolean {
  const isAnd = name === "and";
  return (
    mayThrowIn(left, context) ||
    (truthOf(infer(left, context).type) !== (isAnd ? "never" : "always") &&
      mayThrowIn(right, narrow(left, context, isAnd)))
  );
}

function operatorMayThrow({ name, args }: Binary, inferType: TypeOfPart): boolean {
  const [lefts, rights] = args.map((side) => alternatives(inferType(side)).map(plainTypeName));
  return lefts!.some((a) => rights!.some((b) => operatorCanFail(name, a, b)));
}

function firstMayThrow({ args: [several] }: Call, context: InferenceContext): boolean {
  for (const part of several!.kind === "comma" ? several!.items : [several!]) {
    if (mayThrowIn(part, context)) return true;
    if (infer(part, context).isNonEmpty) return false;
  }
  return false;
}

function builtinMayThrow(call: Call, inferType: TypeOfPart): boolean {
  if (isBinary(call)) return operatorMayThrow(call, inferType);
  const { name, args } = call;
  const types = neverThrowFor.get(`${name}/${args.length}`);
  if (types?.every((some, i) => isOfType(inferType(args[i]!), ...some))) return false;
  return builtinOf(name, args.length)?.canFail(args, (argument) => typeNameOf(inferType(argument))) ?? false;
}

/** Types for which builtins never fail. */
const neverThrowFor: ReadonlyMap<string, readonly (readonly JqTypeName[])[]> = new Map([
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

function foldMayThrow(expression: Fold, context: InferenceContext): boolean {
  const { source, initial, update } = expression;
  if (mayThrowIn(source, context) || mayThrowIn(initial, context)) return true;
  const { state, variables, updated } = inferFold(expression, context);
  if (mayThrowIn(update, nestedContext(context, { input: state, variables }))) return true;
  return (
    expression.extract !== undefined &&
    mayThrowIn(expression.extract, nestedContext(context, { input: updated, variables }))
  );
}

function updateMayThrow({ args: [path, value] }: Update, context: InferenceContext): boolean {
  const steps: (string | undefined)[] = [];
  let at = path;
  for (let step = lastStep(at); step; step = lastStep(at)) {
    steps.unshift(step.name);
    at = step.source;
  }
  if (at.kind !== "identity") return true;
  let type = context.input;
  for (const name of steps) {
    if (!isOfType(type, ...(name === undefined ? (["array", "object"] as const) : (["object", "null"] as const))))
      return true;
    const { type: found, presence } =
      name === undefined ? { type: childOf(type), presence: "always" } : memberOf(type, name);
    type = presence === "always" ? found : union(found, nullType);
  }
  return mayThrowIn(value, nestedContext(context, { input: type }));
}

/** `name` is undefined for `[]`. */
function lastStep(path: Expression): { readonly source: Expression; readonly name: string | undefined } | undefined {
  if (path.kind === "iterate" && !path.optional) return { source: path.source, name: undefined };
  if (path.kind !== "access" || path.optional || path.key.kind !== "literal") return undefined;
  return typeof path.key.value === "string" ? { source: path.source, name: path.key.value } : undefined;
}
