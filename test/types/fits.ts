import { isObject, type Json } from "../../src/json.ts";
import type { ObjectType, Type } from "../../src/types/type.ts";

/** Whether a value has a type. */
export function fits(value: Json, type: Type): boolean {
  switch (type.kind) {
    case "any":
      return true;
    case "null":
      return value === null;
    case "number":
      return typeof value === "number" && (!type.integer || Number.isInteger(value));
    case "literal":
      return value === type.value;
    case "array":
      return (
        Array.isArray(value) && (!type.isFilled || value.length > 0) && value.every((item) => fits(item, type.items))
      );
    case "object":
      return isObject(value) && fitsObject(value, type);
    case "union":
      return type.of.some((part) => fits(value, part));
    case "reference":
      return fits(value, type.definition.type);
    default:
      return typeof value === type.kind;
  }
}

function fitsObject(value: { readonly [key: string]: Json }, { members, rest }: ObjectType): boolean {
  for (const [name, member] of members) if (member.required && !Object.hasOwn(value, name)) return false;
  return Object.keys(value).every((name) => fits(value[name]!, members.get(name)?.type ?? rest));
}
