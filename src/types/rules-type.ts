import { isObject, type Json, type JsonObject, own } from "../json.ts";
import type { TypedKeyword } from "../schema-keywords.ts";
import { type Fuel, fuelOf, intersection, spend, typeOfValue, union } from "./lattice.ts";
import type { SchemaRules } from "./schema-rules.ts";
import {
  any,
  anyArray,
  anyObject,
  arrayOf,
  boolean,
  integer,
  type MemberType,
  never,
  nullType,
  number,
  objectOf,
  string,
  type Type,
} from "./type.ts";

/** The type of the values that fit the rules of a schema. Inexpressible rules and deep references widen it. */
export function typeOfRules(rules: SchemaRules): Type {
  const known = types.get(rules);
  if (known) return known;
  const type = typeAt(rules[0] ?? true, 0, { rules, fuel: fuelOf(maxParts) });
  types.set(rules, type);
  return type;
}

const types = new WeakMap<SchemaRules, Type>();

const maxParts = 2_000;
const maxDepth = 12;
const maxValues = 100;

interface RulesContext {
  readonly rules: SchemaRules;
  readonly fuel: Fuel;
}

function typeAt(schema: Json, depth: number, context: RulesContext): Type {
  if (schema === false) return never;
  if (!isObject(schema) || depth > maxDepth || !spend(context.fuel)) return any;
  const inner = (part: Json): Type => typeAt(part, depth + 1, context);
  const reference = keywordOf(schema, "$ref");
  return [
    ownType(schema, inner),
    ...(typeof reference === "number" ? [inner(context.rules[reference] ?? true)] : []),
    ...listAt(schema, "allOf").map(inner),
    ...(["anyOf", "oneOf"] as const).flatMap((keyword) =>
      keywordOf(schema, keyword) === undefined ? [] : [union(...listAt(schema, keyword).map(inner))],
    ),
  ].reduce(intersection);
}

type TypeOfPart = (part: Json) => Type;

function ownType(schema: JsonObject, inner: TypeOfPart): Type {
  const names = keywordOf(schema, "type");
  const values = keywordOf(schema, "enum");
  const typed = Array.isArray(names)
    ? union(...names.map((name: Json) => named(name, schema, inner)))
    : open(schema, inner);
  return Array.isArray(values) && values.length <= maxValues
    ? intersection(typed, union(...values.map((value: Json) => typeOfValue(value))))
    : typed;
}

function named(name: Json, schema: JsonObject, inner: TypeOfPart): Type {
  if (name === "array") return arrayType(schema, inner);
  return name === "object" ? objectType(schema, inner) : (scalars.get(name) ?? any);
}

/** A schema without `type` restricts only the arrays and objects. */
function open(schema: JsonObject, inner: TypeOfPart): Type {
  const [array, object] = [arrayType(schema, inner), objectType(schema, inner)];
  return array === anyArray && object === anyObject ? any : union(...scalars.values(), array, object);
}

const scalars: ReadonlyMap<Json, Type> = new Map<Json, Type>([
  ["null", nullType],
  ["boolean", boolean],
  ["number", number],
  ["integer", integer],
  ["string", string],
]);

function objectType(schema: JsonObject, inner: TypeOfPart): Type {
  const required = new Set(listAt(schema, "required").filter((name) => typeof name === "string"));
  const patterns = Object.values(objectAt(schema, "patternProperties")).map(inner);
  const rest = union(...patterns, inner(keywordOf(schema, "additionalProperties") ?? true));
  const members = new Map<string, MemberType>();
  for (const [name, part] of Object.entries(objectAt(schema, "properties")))
    members.set(name, { type: inner(part), required: required.has(name) });
  for (const name of required) if (!members.has(name)) members.set(name, { type: rest, required: true });
  return members.size === 0 && rest.kind === "any" ? anyObject : objectOf(members, rest);
}

function arrayType(schema: JsonObject, inner: TypeOfPart): Type {
  const first = listAt(schema, "prefixItems");
  const rest = keywordOf(schema, "items");
  return first.length === 0 && rest === undefined ? anyArray : arrayOf(union(...first.map(inner), inner(rest ?? true)));
}

/** Types follow from no other keywords than those that checks enforce. */
const keywordOf = (schema: JsonObject, keyword: TypedKeyword): Json | undefined => own(schema, keyword);

function listAt(schema: JsonObject, keyword: TypedKeyword): readonly Json[] {
  const value = keywordOf(schema, keyword);
  return Array.isArray(value) ? value : [];
}

function objectAt(schema: JsonObject, keyword: TypedKeyword): JsonObject {
  const value = keywordOf(schema, keyword);
  return isObject(value) ? value : {};
}
