import { type Call, type Expression, factsOf, type TypeName, typeOf } from "../../../src/expressions/index.ts";
import { isObject, type Json } from "../../../src/json.ts";
import { literalKeys } from "./object.ts";

/** The members that objects can have, and their types where these are known. */
type Members = ReadonlyMap<string, TypeName | undefined>;

/** Whether merging an object into another never has to merge two members: then JSONata's `$merge` does the same. */
export function isShallow(target: Expression, value: Expression): boolean {
  const added = membersOf(value);
  if (!added) return false;
  const before = membersOf(target);
  const isFlat = (type: TypeName | undefined) => type !== undefined && type !== "object";
  return [...added].every(([key, type]) => isFlat(type) || (before && (!before.has(key) || isFlat(before.get(key)))));
}

/** The members of all objects that an expression gives; undefined where they are not known. */
function membersOf(expression: Expression): Members | undefined {
  switch (expression.kind) {
    case "literal":
      return isObject(expression.value) ? typesOf(expression.value) : undefined;
    case "object": {
      const types = expression.entries.map((entry) => factsOf(entry.value).type);
      return literalKeys(expression)?.reduce(
        (members, key, i) => members.set(key, types[i]),
        new Map<string, TypeName | undefined>(),
      );
    }
    case "if":
      return either([expression.then, expression.otherwise]);
    case "comma":
      return either(expression.items);
    case "pipe":
      return membersOf(expression.right);
    case "let":
      return membersOf(expression.body);
    case "call":
      return membersOfCall(expression);
    default:
      return undefined;
  }
}

function membersOfCall({ name, args }: Call): Members | undefined {
  if (name === "first") return membersOf(args[0]!);
  return name === "merge" && factsOf(args[1]!).type === "object" ? either(args) : undefined;
}

const typesOf = (object: { readonly [key: string]: Json }): Members =>
  new Map(Object.keys(object).map((key) => [key, typeOf(object[key]!)]));

/** The members that objects of any of several kinds can have. */
function either(expressions: readonly Expression[]): Members | undefined {
  const all = new Map<string, TypeName | undefined>();
  for (const expression of expressions) {
    const members = membersOf(expression);
    if (!members) return undefined;
    for (const [key, type] of members) all.set(key, all.has(key) && all.get(key) !== type ? undefined : type);
  }
  return all;
}
