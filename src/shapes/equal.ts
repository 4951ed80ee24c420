import { assertNever } from "../json.ts";
import { type Fuel, fuelOf, spend } from "./fuel.ts";
import type { ObjectShape, Shape } from "./shape.ts";

/** Whether two shapes are written alike, wherever they come from; shapes that are too large to compare are taken for different ones. */
export const equalShapes = (a: Shape, b: Shape): boolean => equal(a, b, fuelOf(2_000));

function equal(a: Shape, b: Shape, fuel: Fuel): boolean {
  if (a === b) return true;
  if (!spend(fuel)) return false;
  switch (a.kind) {
    case "any":
    case "null":
    case "boolean":
    case "string":
      return a.kind === b.kind;
    case "number":
      return b.kind === "number" && a.integer === b.integer && a.beyond === b.beyond;
    case "literal":
      return b.kind === "literal" && a.value === b.value;
    case "array":
      return b.kind === "array" && equal(a.items, b.items, fuel);
    case "object":
      return b.kind === "object" && equalObjects(a, b, fuel);
    case "union":
      return b.kind === "union" && a.of.length === b.of.length && a.of.every((part, i) => equal(part, b.of[i]!, fuel));
    case "reference":
      return b.kind === "reference" && a.definition === b.definition;
    default:
      return assertNever(a);
  }
}

function equalObjects(a: ObjectShape, b: ObjectShape, fuel: Fuel): boolean {
  if (a.members.size !== b.members.size) return false;
  for (const [name, member] of a.members) {
    const other = b.members.get(name);
    if (!other || other.required !== member.required || !equal(member.shape, other.shape, fuel)) return false;
  }
  return equal(a.rest, b.rest, fuel);
}
