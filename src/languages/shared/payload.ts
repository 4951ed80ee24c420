import { collect, comma, type Expression, literal, object } from "../../expressions/index.ts";
import { isObject, type Json, type JsonObject, own } from "../../json.ts";

/** The properties that steps send, generated from the schema. */
export interface PayloadTables {
  readonly [part: string]: PayloadTable;
}

/** The properties of one kind of object. */
export interface PayloadTable {
  readonly texts?: readonly string[] | undefined;
  /** By property that holds an object or an array of objects. */
  readonly parts?: { readonly [property: string]: string } | undefined;
  readonly all?: boolean | undefined;
}

/**
 * The sent properties of `owner`, an object of the schema's `part`; `textAt` evaluates strings.
 *
 *   { url: "https://a", useServiceAccount: true } as `httpCall` → { url: "https://a" }
 */
export function payloadOf(
  owner: JsonObject,
  part: string,
  tables: PayloadTables,
  textAt: (owner: object, key: string) => Expression,
): Expression {
  const { texts = [], parts = {}, all } = own(tables, part) ?? {};
  const entries = Object.keys(owner).flatMap((key) => {
    const inner = own(parts, key);
    if (inner !== undefined)
      return [[key, mapObjects(owner, key, (each) => payloadOf(each, inner, tables, textAt))] as const];
    return all || texts.includes(key) ? [[key, evaluateStrings(owner, key, textAt)] as const] : [];
  });
  return object(entries);
}

function mapObjects(owner: JsonObject, key: string, make: (object: JsonObject) => Expression): Expression {
  const value = owner[key]!;
  return Array.isArray(value) ? arrayOf(value.map((each) => make(each as JsonObject))) : make(value as JsonObject);
}

function evaluateStrings(owner: object, key: string, textAt: (owner: object, key: string) => Expression): Expression {
  const value = (owner as { readonly [key: string]: Json })[key]!;
  if (typeof value === "string") return textAt(owner, key);
  if (Array.isArray(value)) return arrayOf(value.map((_, index) => evaluateStrings(value, String(index), textAt)));
  if (!isObject(value)) return literal(value);
  return object(Object.keys(value).map((name) => [name, evaluateStrings(value, name, textAt)] as const));
}

const arrayOf = (items: readonly Expression[]): Expression =>
  collect(items.length === 0 ? undefined : items.length === 1 ? items[0] : comma(...items));
