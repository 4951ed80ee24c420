import {
  alternatives,
  any,
  anyNumber,
  arrayOf,
  childOf,
  deletePathType,
  elementOf,
  fixpoint,
  integer,
  never,
  nullType,
  plainTypeName,
  recordOf,
  setPathType,
  string,
  type Type,
  typeAtPath,
  typeOfNumbers,
  typeOfOperation,
  union,
} from "../../types/index.ts";
import type { Expression } from "../core/ast.ts";
import type { ValueFunction } from "./builtin.ts";

/** The types of the results of jq's functions, where these depend on the arguments; by name and arity. */
export const resultTypes: ReadonlyMap<string, ValueFunction["type"]> = new Map<string, ValueFunction["type"]>([
  ["_plus/2", ([left = any, right = any]) => typeOfOperation("+", left, right)],
  ["_minus/2", ([left = any, right = any]) => typeOfOperation("-", left, right)],
  ["_multiply/2", ([left = any, right = any]) => typeOfOperation("*", left, right)],
  ["_divide/2", ([left = any, right = any]) => typeOfOperation("/", left, right)],
  ["_negate/1", ([input = any]) => typeOfNumbers(input)],
  ["abs/1", ([input = any]) => union(typeOfNumbers(input), ...alternatives(input).filter(isNoNumber))],
  ["floor/1", ([input = any]) => typeOfNumbers(input, true)],
  ["ceil/1", ([input = any]) => typeOfNumbers(input, true)],
  ["round/1", ([input = any]) => typeOfNumbers(input, true)],
  ["trunc/1", ([input = any]) => typeOfNumbers(input, true)],
  ["tonumber/1", ([input = any]) => (mayBeString(input) ? anyNumber : typeOfNumbers(input))],
  ["length/1", ([input = any]) => union(typeOfNumbers(input), alternatives(input).some(isNoNumber) ? integer : never)],
  ["utf8bytelength/1", () => integer],
  ["index/2", indexType],
  ["rindex/2", indexType],
  ["explode/1", () => arrayOf(integer)],
  ["add/1", sumType],
  ["keys/1", keysType],
  ["keys_unsorted/1", keysType],
  [
    "to_entries/1",
    ([input = any]) => arrayOf(recordOf([["key", keyOf(input)] as const, ["value", childOf(input)] as const])),
  ],
  ["reverse/1", elementsType],
  ["sort/1", elementsType],
  ["unique/1", elementsType],
  ["_sort_by_impl/2", elementsType],
  ["_unique_by_impl/2", elementsType],
  ["_group_by_impl/2", ([input = any]) => arrayOf(arrayOf(elementOf(input)))],
  ["min/1", elementOrNull],
  ["max/1", elementOrNull],
  ["_min_by_impl/2", elementOrNull],
  ["_max_by_impl/2", elementOrNull],
  ["split/2", () => arrayOf(string)],
  ["getpath/2", ([input = any], [, path]) => withNames(path, (names) => typeAtPath(input, names))],
  [
    "setpath/3",
    ([input = any, , value = any], [, path]) => withNames(path, (names) => setPathType(input, names, value)),
  ],
  ["delpaths/2", ([input = any], [, paths]) => pathsOf(paths)?.reduce(deletePathType, input) ?? any],
]);

/** The type of `range(from; upTo; by)`. */
export function rangeType(from: Type, upTo: Type, by: Type): Type {
  const isSpecial = [from, upTo, by].some((type) =>
    alternatives(type).some((part) => part.kind === "number" && part.special !== undefined),
  );
  return isSpecial ? anyNumber : typeOfNumbers(union(from, by));
}

function elementsType([input = any]: readonly Type[]): Type {
  return arrayOf(elementOf(input));
}

function elementOrNull([input = any]: readonly Type[]): Type {
  return union(elementOf(input), nullType);
}

function keysType([input = any]: readonly Type[]): Type {
  return arrayOf(keyOf(input));
}

const keyOf = (type: Type): Type =>
  union(...alternatives(type).flatMap(({ kind }) => (kind === "object" ? string : kind === "array" ? integer : [])));

/** Searching null gives null, and an array at the index of another one gives an array of indexes. */
function indexType([input = any]: readonly Type[]): Type {
  return alternatives(input).every((part) => ["string", "array", "null"].includes(plainTypeName(part)))
    ? union(integer, nullType)
    : any;
}

function sumType([input = any]: readonly Type[]): Type {
  const item = childOf(input);
  return union(
    nullType,
    fixpoint(item, (sum) => typeOfOperation("+", sum, item)),
  );
}

const isNoNumber = (part: Type): boolean =>
  part.kind !== "number" && !(part.kind === "literal" && typeof part.value === "number");

const mayBeString = (type: Type): boolean => alternatives(type).some((part) => plainTypeName(part) === "string");

function withNames(path: Expression | undefined, infer: (names: readonly string[]) => Type): Type {
  const names = path && namesOf(path);
  return names ? infer(names) : any;
}

/** A constant path of names: `["a", "b"]` */
function namesOf(path: Expression): readonly string[] | undefined {
  if (path.kind === "literal") return namesIn(path.value);
  if (path.kind !== "array" || !path.items) return undefined;
  const items = path.items.kind === "comma" ? path.items.items : [path.items];
  return namesIn(items.map((item) => (item.kind === "literal" ? item.value : undefined)));
}

function namesIn(path: unknown): readonly string[] | undefined {
  return Array.isArray(path) && path.every((name) => typeof name === "string") ? path : undefined;
}

/** Constant paths of names: `[["a"]]`, `[path(.a, .b.c)]`. */
function pathsOf(paths: Expression | undefined): readonly (readonly string[])[] | undefined {
  if (paths?.kind === "literal") {
    const found = Array.isArray(paths.value) ? paths.value.map(namesIn) : [undefined];
    return found.every((names) => names !== undefined) ? found : undefined;
  }
  const items = paths?.kind === "array" ? paths.items : undefined;
  if (items?.kind !== "call" || items.name !== "path" || items.isLocal) return undefined;
  const [body] = items.args;
  const found = (body?.kind === "comma" ? body.items : [body!]).map(memberChain);
  return found.every((names) => names !== undefined) ? found : undefined;
}

function memberChain(path: Expression): readonly string[] | undefined {
  if (path.kind === "identity") return [];
  if (path.kind !== "access" || path.key.kind !== "literal" || typeof path.key.value !== "string") return undefined;
  const source = path.optional ? undefined : memberChain(path.source);
  return source && [...source, path.key.value];
}
