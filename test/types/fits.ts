import { isObject, type Json } from "../../src/json.ts";
import type { ObjectShape, Shape } from "../../src/types/type.ts";

/** Whether a value is one of those that a shape describes. */
export function fits(value: Json, shape: Shape): boolean {
  switch (shape.kind) {
    case "any":
      return true;
    case "null":
      return value === null;
    case "number":
      return typeof value === "number" && (!shape.integer || Number.isInteger(value));
    case "literal":
      return value === shape.value;
    case "array":
      return Array.isArray(value) && value.every((item) => fits(item, shape.items));
    case "object":
      return isObject(value) && fitsObject(value, shape);
    case "union":
      return shape.of.some((part) => fits(value, part));
    case "reference":
      return fits(value, shape.definition.shape);
    default:
      return typeof value === shape.kind;
  }
}

function fitsObject(value: { readonly [key: string]: Json }, { members, rest }: ObjectShape): boolean {
  for (const [name, member] of members) if (member.required && !Object.hasOwn(value, name)) return false;
  return Object.keys(value).every((name) => fits(value[name]!, members.get(name)?.shape ?? rest));
}
