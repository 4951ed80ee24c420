import { isObject, type Json } from "../../json.ts";
import {
  alternatives,
  any,
  anyObject,
  assignType,
  deletePathType,
  differenceType,
  memberOf,
  mergeResultTypes,
  mergeTypes,
  never,
  nullType,
  objectsOf,
  placeType,
  type Type,
  typeOfOperation,
  union,
  withMember,
} from "../../types/index.ts";
import type { Expression } from "../core/ast.ts";
import { call, object } from "../core/build.ts";
import { type Analysis, type Builtin, constantOf, isTotalIn, valueBuiltin } from "./builtin.ts";
import {
  assignEventJson,
  assignJson,
  assignResultJson,
  combineJson,
  dataMergeError,
  differenceJson,
  mergeEventJson,
  mergeJson,
  mergeOutputJson,
  mergeResultJson,
  omitJson,
  outputError,
  placeJson,
} from "./dialect/data.ts";

/** The builtins that combine data: results, events and outputs with the data of a state. */
export const mergingFunctions: readonly Builtin[] = [
  {
    ...valueBuiltin(
      "merge",
      2,
      "`merge(target, value)`: of two objects member by member, recursively; else the value.",
    ),
    canFail: ([target, given], typeOf) => {
      const type = typeOf(given!);
      return typeOf(target!) !== "object" && (type === undefined || type === "object");
    },
    errorName: dataMergeError.name,
    apply: (target: Json, given: Json) => mergeJson(target, given),
    type: ([target = any, given = any]) => mergeTypes(target, given),
    simplify: ([target, given], known) => simplifyMerge(target!, given!, known),
    javascript: "mergeJson",
  },
  {
    ...valueBuiltin(
      "merge",
      3,
      "`merge(target, value, arrays)`: of two objects member by member, recursively; of two arrays the union or, if `arrays` is `replace`, the value; an array with anything else as a further element; else the value.",
    ),
    apply: (target: Json, given: Json, arrays: Json) => combineJson(target, given, arrays),
    type: ([target = any, given = any]) => combinedType(target, given),
    simplify: ([target, given], known) => simplifyCombine(target!, given!, known),
    javascript: "combineJson",
  },
  {
    ...valueBuiltin(
      "mergeResult",
      3,
      "`mergeResult(target, value, key)`: null leaves the target, an object is merged into it, anything else as the member `key`.",
    ),
    canFail: ([target, given], typeOf) => typeOf(target!) !== "object" && typeOf(given!) !== "null",
    errorName: dataMergeError.name,
    apply: (target: Json, given: Json, key: Json) => mergeResultJson(target, given, key),
    type: ([target = any, given = any, key = any]) => mergeResultTypes(target, given, key),
    simplify: ([target, given, key], known) => simplifyMergeResult("merge", [target!, given!], constantOf(key), known),
    javascript: "mergeResultJson",
  },
  {
    ...valueBuiltin(
      "place",
      3,
      "`place(target, path, value)`: the target with the value at a path of names; objects are made on the way.",
    ),
    canFail: ([target, path], typeOf) => typeOf(target!) !== "object" && constantNames(path!)?.length !== 0,
    errorName: dataMergeError.name,
    apply: (target: Json, path: Json, given: Json) => placeJson(target, path, given),
    type: ([target = any, , given = any], [, path]) => {
      const names = constantNames(path!);
      return names ? placeType(target, names, given) : any;
    },
    simplify: ([target, path, given], known) =>
      constantNames(path!)?.length === 0 && isTotalIn(known, target!) ? given : undefined,
    javascript: "placeJson",
  },
  {
    ...valueBuiltin(
      "mergeOutput",
      2,
      "`mergeOutput(state, output)`: the state, or else an empty object, with the members of the output in the places of its own.",
    ),
    returns: "object",
    canFail: ([, output], typeOf) => typeOf(output!) !== "object",
    errorName: outputError.name,
    apply: (state: Json, output: Json) => mergeOutputJson(state, output),
    type: ([state = any, output = any]) =>
      union(
        typeOfOperation("+", union(...objectsOf(state)), union(...objectsOf(output))),
        alternatives(state).every(({ kind }) => kind === "object") ? never : union(...objectsOf(output)),
      ),
    javascript: "mergeOutputJson",
  },
  {
    ...valueBuiltin(
      "mergeEvent",
      4,
      "`mergeEvent(target, event, key, token)`: `mergeResult` with the event's data, then its attribute `token` where the target has no such member.",
    ),
    canFail: ([target], typeOf) => typeOf(target!) !== "object",
    errorName: dataMergeError.name,
    apply: (target: Json, event: Json, key: Json, token: Json) => mergeEventJson(target, event, key, token),
    type: ([target = any, event = any, key = any], [, , , token]) =>
      mergeEventTypes([target, event, key], token, mergeTypes),
    javascript: "mergeEventJson",
  },
  {
    ...valueBuiltin(
      "assign",
      2,
      "`assign(target, value)`: of two objects, the target with the members of the value in the places of its own; else the value.",
    ),
    canFail: ([target, given], typeOf) => {
      const type = typeOf(given!);
      return typeOf(target!) !== "object" && (type === undefined || type === "object");
    },
    errorName: dataMergeError.name,
    apply: (target: Json, given: Json) => assignJson(target, given),
    type: ([target = any, given = any]) => assignType(target, given),
    simplify: ([target, given], known) => simplifyMerge(target!, given!, known),
    javascript: "assignJson",
  },
  {
    ...valueBuiltin(
      "assignResult",
      3,
      "`assignResult(target, value, key)`: null leaves the target, the members of an object replace its own, anything else becomes the member `key`.",
    ),
    canFail: ([target, given], typeOf) => typeOf(target!) !== "object" && typeOf(given!) !== "null",
    errorName: dataMergeError.name,
    apply: (target: Json, given: Json, key: Json) => assignResultJson(target, given, key),
    type: ([target = any, given = any, key = any]) => mergeResultTypes(target, given, key, assignType),
    simplify: ([target, given, key], known) => simplifyMergeResult("assign", [target!, given!], constantOf(key), known),
    javascript: "assignResultJson",
  },
  {
    ...valueBuiltin(
      "assignEvent",
      4,
      "`assignEvent(target, event, key, token)`: the event's attribute `token`, and then the target with `assignResult` of the event's data.",
    ),
    canFail: ([target], typeOf) => typeOf(target!) !== "object",
    errorName: dataMergeError.name,
    apply: (target: Json, event: Json, key: Json, token: Json) => assignEventJson(target, event, key, token),
    type: ([target = any, event = any, key = any], [, , , token]) =>
      mergeEventTypes([target, event, key], token, assignType),
    javascript: "assignEventJson",
  },
  {
    ...valueBuiltin("omit", 2, "`omit(value, names)`: an object without the members of these names; else the value."),
    apply: (given: Json, names: Json) => omitJson(given, names),
    type: ([given = any], [, names]) => omitTypes(given, constantNames(names!)),
    javascript: "omitJson",
  },
  {
    ...valueBuiltin(
      "difference",
      2,
      "`difference(value, base)`: what of the value is new; null where both are equal and not objects.",
    ),
    apply: (given: Json, base: Json) => differenceJson(given, base),
    type: ([given = any, base = any]) => differenceType(given, base),
    javascript: "differenceJson",
  },
];

/** Whether parts are arrays is not known of a type in general. */
const combinedType = (target: Type, given: Type): Type =>
  [target, given].every((type) => alternatives(type).every(({ kind }) => kind === "object")) ? anyObject : any;

function simplifyCombine(target: Expression, given: Expression, { typeOf }: Analysis): Expression | undefined {
  if (isEmptyObject(constantOf(target)) && typeOf(given) === "object") return given;
  if (isEmptyObject(constantOf(given)) && typeOf(target) === "object") return target;
  return undefined;
}

function simplifyMerge(target: Expression, given: Expression, { typeOf }: Analysis): Expression | undefined {
  if (isEmptyObject(constantOf(target))) return given;
  return isEmptyObject(constantOf(given)) && typeOf(target) === "object" ? target : undefined;
}

/** A plain merge if the result's type is known. */
function simplifyMergeResult(
  name: "merge" | "assign",
  [target, given]: readonly [Expression, Expression],
  key: Json | undefined,
  known: Analysis,
): Expression | undefined {
  const type = known.typeOf(given);
  if (type === undefined || typeof key !== "string") return undefined;
  if (type === "null") return isTotalIn(known, given) ? target : undefined;
  const part = type === "object" ? given : object([[key, given]]);
  return simplifyMerge(target, part, known) ?? call(name, target, part);
}

const isEmptyObject = (value: Json | undefined): boolean => isObject(value) && Object.keys(value).length === 0;

function mergeEventTypes(
  [target, event, key]: readonly [Type, Type, Type],
  token: Expression | undefined,
  merge: (target: Type, value: Type) => Type,
): Type {
  if (token?.kind !== "literal" || typeof token.value !== "string") return any;
  const name = token.value;
  const given = alternatives(event).map((each) => (each.kind === "object" ? memberOf(each, "data") : undefined));
  const isAlways = given.every((each) => each?.presence === "always");
  const data = union(...given.map((each) => each?.type ?? nullType), isAlways ? never : nullType);
  const merged = mergeResultTypes(target, event.kind === "any" ? any : data, key, merge);
  const lacking = objectsOf(merged).filter((each) => memberOf(each, name).presence !== "always");
  return union(merged, ...lacking.map((each) => withMember(each, name, any)));
}

function omitTypes(given: Type, names: readonly string[] | undefined): Type {
  if (!names) return given.kind === "any" ? any : union(given, anyObject);
  const objects = objectsOf(given).map((object): Type => object);
  const kept = names.reduce<Type>((type, name) => deletePathType(type, [name]), union(...objects));
  return union(...alternatives(given).filter(({ kind }) => kind !== "object"), kept);
}

function constantNames(path: Expression): readonly string[] | undefined {
  if (path.kind !== "literal" || !Array.isArray(path.value)) return undefined;
  return path.value.map((name) => (typeof name === "string" ? name : JSON.stringify(name)));
}
