import type { OpenUse } from "../../../src/expressions/js/index.ts";
import { equalNodes, js, type TypeNode } from "../../../src/js-ast/index.ts";
import { assertNever } from "../../../src/json.ts";
import { isNever, type ObjectType, type Type } from "../../../src/types/index.ts";
import { jsonType } from "./runtime-imports.ts";
import { typeByUse } from "./schemas.ts";

/** Larger or deeper types are `Json`. */
const maxParts = 200;
const maxDepth = 12;

/**
 * The type of a function's result: its trusted type if that lists the members that the workflow uses, otherwise these
 * members. Without an index signature, so that a function whose result is an interface has this type.
 */
export function resultType(use: OpenUse, trusted: Type | undefined): TypeNode {
  if (!trusted || trusted.kind === "null" || !isShown(use, trusted, maxDepth)) return typeByUse(use);
  const room = { left: maxParts };
  const printed = print(trusted, maxDepth, room);
  return room.left < 0 ? typeByUse(use) : printed;
}

/** Whether the printed type has the members that are used. */
function isShown({ members }: OpenUse, type: Type, depth: number): boolean {
  if (members.size === 0) return true;
  const parts = type.kind === "union" ? type.of : [type];
  return parts.every(
    (part) =>
      part.kind === "object" &&
      depth > 1 &&
      isPrinted(part) &&
      Array.from(members).every(([name, use]) => {
        const member = part.members.get(name);
        return member !== undefined && isShown(use, member.type, depth - 1);
      }),
  );
}

/** Whether a type of objects lists their members. */
const isPrinted = ({ members, rest }: Pick<ObjectType, "members" | "rest">): boolean =>
  members.size > 0 && (rest.kind === "any" || isNever(rest));

function print(type: Type, depth: number, room: { left: number }): TypeNode {
  room.left -= 1;
  if (depth === 0 || room.left < 0) return jsonType;
  switch (type.kind) {
    case "any":
    case "reference":
      return jsonType;
    case "null":
    case "boolean":
    case "number":
    case "string":
      return js.keyword(type.kind);
    case "literal":
      // A member of an enum has the type of its value, and not that value.
      return js.keyword(typeof type.value as "boolean" | "number" | "string");
    case "array":
      return js.arrayType(print(type.items, depth - 1, room));
    case "object":
      return printObject(type, depth, room);
    case "union":
      return isNever(type) ? jsonType : js.union(distinct(type.of.map((part) => print(part, depth - 1, room))));
    default:
      return assertNever(type);
  }
}

const distinct = (types: readonly TypeNode[]): readonly TypeNode[] =>
  types.filter((type, i) => types.findIndex((other) => equalNodes(other, type)) === i);

function printObject(
  { members, rest }: Pick<ObjectType, "members" | "rest">,
  depth: number,
  room: { left: number },
): TypeNode {
  if (members.size === 0) return js.objectType([js.indexSignature("member", jsonType)]);
  if (!isPrinted({ members, rest })) return jsonType;
  return js.objectType(
    Array.from(members, ([name, { type, required }]) =>
      js.propertySignature(name, print(type, depth - 1, room), { optional: !required }),
    ),
  );
}
