import { collect, comma, type Expression, literal, object } from "../../expressions/index.ts";
import { isObject, type Json, type JsonObject, own } from "../../json.ts";

/** The properties whose strings steps evaluate, generated from the schema. */
export interface PayloadTables {
  readonly [part: string]: PayloadTable;
}

/** The properties of one kind of object. */
export interface PayloadTable {
  /** Strings, arrays of strings and objects of strings with interpolations. */
  readonly interpolated?: readonly string[] | undefined;
  /** By property that holds an object or an array of objects. */
  readonly parts?: { readonly [property: string]: string } | undefined;
  /** All properties are interpolated. */
  readonly all?: boolean | undefined;
  /** The schema of properties with user-defined names. */
  readonly members?: string | undefined;
}

/** How the values of a payload are built. */
export interface PayloadContext {
  readonly tables: PayloadTables;
  /** Evaluates the string in `owner[key]`. */
  interpolate(owner: object, key: string): Expression;
  /** Builds the string in `owner[key]`, which is sent as it is. */
  literal(owner: object, key: string): Expression;
}

/**
 * Everything in `owner`, an object of the schema's `part`, except the properties in `omitted`.
 *
 *   { bucket: "b", object: "\(.id)", output: "…" } as `objectStorage` → { bucket: "b", object: <.id> }
 */
export function payloadOf(
  owner: JsonObject,
  part: string,
  context: PayloadContext,
  omitted: ReadonlySet<string> = new Set(),
): Expression {
  const { interpolated = [], parts = {}, all, members } = own(context.tables, part) ?? {};
  const entries = Object.keys(owner)
    .filter((key) => !omitted.has(key))
    .map((key) => {
      const isInterpolated = all === true || interpolated.includes(key);
      return [key, payloadValue(owner, key, own(parts, key) ?? members, isInterpolated, context)] as const;
    });
  return object(entries);
}

function payloadValue(
  owner: object,
  key: string,
  part: string | undefined,
  isInterpolated: boolean,
  context: PayloadContext,
): Expression {
  const value = (owner as { readonly [key: string]: Json })[key]!;
  if (typeof value === "string") return isInterpolated ? context.interpolate(owner, key) : context.literal(owner, key);
  if (Array.isArray(value))
    return arrayOf(value.map((_, index) => payloadValue(value, String(index), part, isInterpolated, context)));
  if (!isObject(value)) return literal(value);
  if (part !== undefined) return payloadOf(value, part, context);
  return object(
    Object.keys(value).map((name) => [name, payloadValue(value, name, undefined, isInterpolated, context)] as const),
  );
}

const arrayOf = (items: readonly Expression[]): Expression =>
  collect(items.length === 0 ? undefined : items.length === 1 ? items[0] : comma(...items));
