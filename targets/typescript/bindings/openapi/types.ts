import { isObject, type Json, type JsonObject, own } from "../../../../src/json.ts";
import type { LocalNames } from "../local-names.ts";
import { keyText, quoted } from "../text.ts";
import { resolved } from "./document.ts";

/** Writes the types of schemas; those that the document names become named types. */
export interface SchemaTypes {
  typeOf(schema: Json | undefined): string;
  /** The named types so far. */
  readonly named: readonly { readonly name: string; readonly doc: string; readonly text: string }[];
}

/** How many parts of schemas are looked at; what is beyond is `Json`. */
const partLimit = 5000;

/** The types of the schemas of one document. */
export function schemaTypes(root: JsonObject, names: LocalNames): SchemaTypes {
  const known = new Map<string, { readonly name: string; readonly doc: string; text: string }>();
  let parts = 0;
  /** `open`: the named types that this one is directly, not only in a member. */
  const write = (schema: Json | undefined, open: ReadonlySet<string>): string => {
    parts += 1;
    if (!isObject(schema) || parts > partLimit) return "Json";
    const reference = own(schema, "$ref");
    if (typeof reference === "string") return nameOf(reference, open);
    const text = shapeText(schema, {
      direct: (inner) => write(inner, open),
      inner: (inner) => write(inner, new Set()),
    });
    return own(schema, "nullable") === true && text !== "Json" ? `${text} | null` : text;
  };
  const nameOf = (reference: string, open: ReadonlySet<string>): string => {
    const found = known.get(reference);
    if (found) return open.has(reference) ? "Json" : found.name;
    const schema = resolved(root, { $ref: reference });
    if (schema === undefined) return "Json";
    const type = {
      name: names.type(reference.slice(reference.lastIndexOf("/") + 1)),
      doc: docOf(schema, reference),
      text: "Json",
    };
    known.set(reference, type);
    type.text = write(schema, new Set([...open, reference]));
    return type.name;
  };
  return {
    typeOf: (schema) => write(schema, new Set()),
    get named() {
      return [...known.values()];
    },
  };
}

function docOf(schema: Json, reference: string): string {
  const description = isObject(schema) ? own(schema, "description") : undefined;
  return typeof description === "string" && description.trim() !== "" ? description.slice(0, 300) : `\`${reference}\``;
}

interface Writers {
  /** For what is this value itself. */
  direct(schema: Json): string;
  /** For what is in this value. */
  inner(schema: Json): string;
}

function shapeText(schema: JsonObject, writers: Writers): string {
  const values = Object.hasOwn(schema, "const") ? [schema["const"]!] : own(schema, "enum");
  if (Array.isArray(values)) return literalsText(values as readonly Json[]);
  for (const [keyword, operator] of [
    ["allOf", " & "],
    ["oneOf", " | "],
    ["anyOf", " | "],
  ] as const) {
    const list = own(schema, keyword);
    if (!Array.isArray(list) || list.length === 0 || list.length > 100) continue;
    const own_ = Object.hasOwn(schema, "properties") && keyword === "allOf" ? [objectText(schema, writers)] : [];
    return joined([...own_, ...(list as readonly Json[]).map((part) => writers.direct(part))], operator);
  }
  const type = own(schema, "type") ?? (Object.hasOwn(schema, "properties") ? "object" : undefined);
  const types = Array.isArray(type) ? (type as readonly Json[]) : [type];
  return joined(
    types.map((each) => typeText(each, schema, writers)),
    " | ",
  );
}

function typeText(type: Json | undefined, schema: JsonObject, writers: Writers): string {
  switch (type) {
    case "string":
    case "boolean":
    case "null":
    case "number":
      return type;
    case "integer":
      return "number";
    case "array":
      return `readonly ${grouped(writers.inner(own(schema, "items") ?? {}))}[]`;
    case "object":
      return objectText(schema, writers);
    default:
      return "Json";
  }
}

function objectText(schema: JsonObject, writers: Writers): string {
  const properties = own(schema, "properties");
  const required = own(schema, "required");
  if (!isObject(properties) || Object.keys(properties).length === 0) {
    const rest = own(schema, "additionalProperties");
    return isObject(rest) ? `{ readonly [name: string]: ${writers.inner(rest)} }` : "JsonObject";
  }
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  return membersText(
    Object.entries(properties).map(([name, value]) => ({
      name,
      isRequired: isRequired(name),
      type: writers.inner(value),
    })),
  );
}

/** A type with members. */
export function membersText(
  members: readonly { readonly name: string; readonly isRequired: boolean; readonly type: string }[],
): string {
  const texts = members.map(
    ({ name, isRequired, type }) => `readonly ${keyText(name)}${isRequired ? "" : "?"}: ${type}`,
  );
  const line = `{ ${texts.join("; ")} }`;
  if (line.length <= 100 && !line.includes("\n")) return line;
  return `{\n${texts.map((text) => `  ${text.replaceAll("\n", "\n  ")};\n`).join("")}}`;
}

function literalsText(values: readonly Json[]): string {
  if (values.length === 0 || values.length > 100 || values.some((value) => typeof value === "object" && value !== null))
    return "Json";
  return joined(
    values.map((value) => (typeof value === "string" ? quoted(value) : String(value))),
    " | ",
  );
}

/** A type of several. `Json` takes in all others. */
export function joined(types: readonly string[], operator: " | " | " & "): string {
  const distinct = [...new Set(types)];
  if (operator === " | " && distinct.includes("Json")) return "Json";
  const parts = operator === " & " ? distinct.filter((type) => type !== "Json") : distinct;
  if (parts.length < 2) return parts[0] ?? "Json";
  return parts.map((type) => (operator === " & " ? grouped(type) : type)).join(operator);
}

/** A type in brackets where an operator stands in it. */
export const grouped = (type: string): string => (/^(?:\w+|\{[^{}]*\})$/.test(type) ? type : `(${type})`);
