import { resolveReference } from "../../../../src/documents/openapi.ts";
import { js, type TypeDeclaration, type TypeNode } from "../../../../src/js-ast/index.ts";
import { isObject, type Json, type JsonObject, own } from "../../../../src/json.ts";
import type { LocalNames } from "../shared.ts";
import { combineTypes, exportedType, json, jsonObject, mapType } from "../shared.ts";

/** Converts schemas to types. */
export interface SchemaTypes {
  typeOf(schema: Json | undefined): TypeNode;
  readonly named: readonly TypeDeclaration[];
}

/** Further parts of schemas are `Json`. */
const maxParts = 5000;

/** Creates a converter for the schemas of a document. */
export function schemaTypes(root: JsonObject, names: LocalNames): SchemaTypes {
  const known = new Map<string, { readonly name: string; readonly doc: string; type: TypeNode }>();
  let parts = 0;
  /** `open`: named types being defined, except inside members. */
  const write = (schema: Json | undefined, open: ReadonlySet<string>): TypeNode => {
    parts += 1;
    if (!isObject(schema) || parts > maxParts) return json;
    const reference = own(schema, "$ref");
    if (typeof reference === "string") return nameOf(reference, open);
    const type = typeNodeOf(schema, {
      direct: (inner) => write(inner, open),
      inner: (inner) => write(inner, new Set()),
    });
    return own(schema, "nullable") === true ? combineTypes([type, js.keyword("null")], "|") : type;
  };
  const nameOf = (reference: string, open: ReadonlySet<string>): TypeNode => {
    const found = known.get(reference);
    if (found) return open.has(reference) ? json : js.type(found.name);
    const schema = resolveReference(root, { $ref: reference });
    if (schema === undefined) return json;
    const entry: { readonly name: string; readonly doc: string; type: TypeNode } = {
      name: names.type(reference.slice(reference.lastIndexOf("/") + 1)),
      doc: docOf(schema, reference),
      type: json,
    };
    known.set(reference, entry);
    entry.type = write(schema, new Set([...open, reference]));
    return js.type(entry.name);
  };
  return {
    typeOf: (schema) => write(schema, new Set()),
    get named() {
      return Array.from(known.values(), ({ name, doc, type }) => exportedType(name, doc, type));
    },
  };
}

function docOf(schema: Json, reference: string): string {
  const description = isObject(schema) ? own(schema, "description") : undefined;
  return typeof description === "string" && description.trim() !== "" ? description.slice(0, 300) : `\`${reference}\``;
}

interface TypePrinters {
  /** For schemas of the value itself. */
  direct(schema: Json): TypeNode;
  /** For schemas of parts of the value. */
  inner(schema: Json): TypeNode;
}

function typeNodeOf(schema: JsonObject, printers: TypePrinters): TypeNode {
  const values = Object.hasOwn(schema, "const") ? [schema["const"]!] : own(schema, "enum");
  if (Array.isArray(values)) return literalsType(values as readonly Json[]);
  for (const [keyword, operator] of [
    ["allOf", "&"],
    ["oneOf", "|"],
    ["anyOf", "|"],
  ] as const) {
    const list = own(schema, keyword);
    if (!Array.isArray(list) || list.length === 0 || list.length > 100) continue;
    const ownType = Object.hasOwn(schema, "properties") && keyword === "allOf" ? [objectTypeOf(schema, printers)] : [];
    return combineTypes([...ownType, ...(list as readonly Json[]).map((part) => printers.direct(part))], operator);
  }
  const type = own(schema, "type") ?? (Object.hasOwn(schema, "properties") ? "object" : undefined);
  const types = Array.isArray(type) ? (type as readonly Json[]) : [type];
  return combineTypes(
    types.map((each) => typeOfKeyword(each, schema, printers)),
    "|",
  );
}

function typeOfKeyword(type: Json | undefined, schema: JsonObject, printers: TypePrinters): TypeNode {
  switch (type) {
    case "string":
    case "boolean":
    case "null":
    case "number":
      return js.keyword(type);
    case "integer":
      return js.keyword("number");
    case "array":
      return js.arrayType(printers.inner(own(schema, "items") ?? {}));
    case "object":
      return objectTypeOf(schema, printers);
    default:
      return json;
  }
}

function objectTypeOf(schema: JsonObject, printers: TypePrinters): TypeNode {
  const properties = own(schema, "properties");
  const required = own(schema, "required");
  if (!isObject(properties) || Object.keys(properties).length === 0) {
    const rest = own(schema, "additionalProperties");
    return isObject(rest) ? mapType(printers.inner(rest)) : jsonObject;
  }
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  return js.objectType(
    Object.entries(properties).map(([name, value]) =>
      js.propertySignature(name, printers.inner(value), { optional: !isRequired(name) }),
    ),
  );
}

function literalsType(values: readonly Json[]): TypeNode {
  if (values.length === 0 || values.length > 100) return json;
  const types = values.map((value) => {
    if (value === null) return js.keyword("null");
    return typeof value === "object" ? json : js.literalType(value);
  });
  return combineTypes(types, "|");
}
