import { type JsonObject, own } from "../../json.ts";
import { any, anyArray, anyObject, arrayOf, type Member, objectOf, type Shape } from "../shape.ts";
import { union } from "../union.ts";
import { documentationOf, isSchema, listAt, objectAt, type Reading } from "./reading.ts";

/** Reads a schema within another one. */
export type Inner = (schema: JsonObject | boolean) => Shape;

/** What a schema says about the objects that it allows. */
export function objectShape(schema: JsonObject, reading: Reading, inner: Inner): Shape {
  const properties = objectAt(schema, "properties") ?? {};
  const required = new Set((listAt(schema, "required") ?? []).filter((name) => typeof name === "string"));
  const rest = restShape(schema, inner);
  const members = new Map<string, Member>();
  for (const name of Object.keys(properties)) {
    const property = properties[name];
    const shape = isSchema(property) ? inner(property) : any;
    members.set(name, { shape, required: required.has(name), ...documentationOf(property) });
  }
  for (const name of required) if (!members.has(name)) members.set(name, { shape: rest, required: true });
  if (members.size === 0 && rest.kind === "any") return anyObject;
  const keyword = ["properties", "additionalProperties", "required"].find((each) => own(schema, each) !== undefined);
  return objectOf(members, rest, keyword === undefined ? undefined : reading.document.spanOf(schema, keyword, "key"));
}

/** What other members can be than those that are listed: those whose names match a pattern, or those that match none. */
function restShape(schema: JsonObject, inner: Inner): Shape {
  const patterns = Object.values(objectAt(schema, "patternProperties") ?? {}).map((part) =>
    isSchema(part) ? inner(part) : any,
  );
  const additional = own(schema, "additionalProperties") ?? unevaluated(schema);
  return union(...patterns, isSchema(additional) ? inner(additional) : any);
}

const applicators = ["allOf", "anyOf", "oneOf", "if", "$ref", "$dynamicRef", "$recursiveRef", "dependentSchemas"];

/** Without parts that could evaluate them, unevaluated members are those that are not listed. */
function unevaluated(schema: JsonObject) {
  return applicators.some((keyword) => own(schema, keyword) !== undefined)
    ? undefined
    : own(schema, "unevaluatedProperties");
}

/** What a schema says about the arrays that it allows. */
export function arrayShape(schema: JsonObject, inner: Inner): Shape {
  const items = own(schema, "items");
  const first = listAt(schema, "prefixItems") ?? listAt(schema, "items") ?? [];
  const rest = Array.isArray(items) ? own(schema, "additionalItems") : items;
  if (first.length === 0 && rest === undefined) return anyArray;
  const shapes = first.map((part) => (isSchema(part) ? inner(part) : any));
  return arrayOf(union(...shapes, isSchema(rest) ? inner(rest) : any));
}
