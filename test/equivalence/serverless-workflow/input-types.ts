import fc, { type Arbitrary } from "fast-check";
import { isObject, type Json, type JsonObject, own } from "../../../src/json.ts";
import { among, weighted } from "../arbitraries.ts";
import type { ProgramNames } from "./names.ts";
import { keys } from "./parts.ts";

/** A subset of JSON Schema. */
export type ValueType =
  | { readonly kind: "string" | "number" | "integer" | "boolean" | "any" }
  | { readonly kind: "enum"; readonly values: readonly Json[] }
  | { readonly kind: "nullable"; readonly inner: ValueType }
  | { readonly kind: "array"; readonly items: ValueType }
  | InputObjectType;

export interface InputObjectType {
  readonly kind: "object";
  /** By plain name. */
  readonly members: ReadonlyMap<string, ValueType>;
  readonly required: readonly string[];
  /** Whether additional members are allowed. */
  readonly isOpen: boolean;
}

/** A type for the input of runs. Only if `isAlwaysGiven` may it require members, because no run starts without them. */
export const inputType = (isAlwaysGiven: boolean): Arbitrary<InputObjectType> =>
  objectOf(2).map((typed) => (isAlwaysGiven ? typed : { ...typed, required: [] }));

const valueType = (depth: number): Arbitrary<ValueType> =>
  weighted<ValueType>(
    [
      6,
      among<"string" | "number" | "integer" | "boolean" | "any">("string", "number", "integer", "boolean", "any").map(
        (kind) => ({ kind }),
      ),
    ],
    [1, among<readonly Json[]>(["x", "y"], [1, 2], ["x", 1, null], [true]).map((values) => ({ kind: "enum", values }))],
    ...(depth === 0
      ? []
      : ([
          [1, valueType(depth - 1).map((inner): ValueType => ({ kind: "nullable", inner }))],
          [2, valueType(depth - 1).map((items): ValueType => ({ kind: "array", items }))],
          [2, objectOf(depth - 1)],
        ] as const)),
  );

const objectOf = (depth: number): Arbitrary<InputObjectType> =>
  fc
    .record({
      fields: fc.array(fc.tuple(among(...keys), valueType(depth), fc.boolean()), { maxLength: 4, size: "max" }),
      list: valueType(Math.max(0, depth - 1)),
      isOpen: weighted([3, fc.constant(true)], [1, fc.constant(false)]),
    })
    .map(({ fields, list, isOpen }) => {
      const members = new Map<string, ValueType>(fields.map(([key, type]) => [key, type]));
      if (members.has("list")) members.set("list", { kind: "array", items: list });
      const required = fields.flatMap(([key, , isRequired]) => (isRequired ? [key] : []));
      return { kind: "object", members, required: [...new Set(required)], isOpen };
    });

/** Returns the JSON Schema of a type. */
export function schemaOf(type: ValueType, names: ProgramNames): JsonObject {
  switch (type.kind) {
    case "any":
      return {};
    case "enum":
      return { enum: type.values.map((value) => names.inside(value)) };
    case "nullable":
      return { anyOf: [{ type: "null" }, schemaOf(type.inner, names)] };
    case "array":
      return { type: "array", items: schemaOf(type.items, names) };
    case "object": {
      const properties = [...type.members].map(([key, member]) => [names.of("key", key), schemaOf(member, names)]);
      return {
        type: "object",
        properties: Object.fromEntries(properties) as JsonObject,
        required: type.required.map((key) => names.of("key", key)),
        ...(type.isOpen ? {} : { additionalProperties: false }),
      };
    }
    default:
      return { type: type.kind };
  }
}

/** Converts any value to a value of a type; undefined yields a default. */
export function convert(value: Json | undefined, type: ValueType): Json {
  switch (type.kind) {
    case "any":
      return value ?? null;
    case "string":
      return typeof value === "string" ? value : value === undefined ? "x" : JSON.stringify(value);
    case "number":
      return typeof value === "number" ? value : 1.5;
    case "integer":
      return Number.isSafeInteger(value) ? value! : 2;
    case "boolean":
      return value === true;
    case "enum":
      return type.values.find((one) => one === value) ?? type.values[0]!;
    case "nullable":
      return value === undefined || value === null ? null : convert(value, type.inner);
    case "array":
      return (Array.isArray(value) ? (value as readonly Json[]) : value === undefined ? [] : [value]).map((item) =>
        convert(item, type.items),
      );
    case "object":
      return convertObject(isObject(value) ? value : {}, type);
  }
}

/** Converts any object to an object of a type. */
export function convertObject(value: JsonObject, { members, required, isOpen }: InputObjectType): JsonObject {
  const others = Object.entries(value).filter(([key]) => isOpen && !members.has(key)) as readonly (readonly [
    string,
    Json,
  ])[];
  const known = [...members].flatMap(([key, type]): readonly (readonly [string, Json])[] => {
    const member = own(value, key);
    return member === undefined && !required.includes(key) ? [] : [[key, convert(member, type)]];
  });
  return Object.fromEntries([...others, ...known]);
}
