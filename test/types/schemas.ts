import { readDocuments } from "../../src/documents/index.ts";
import type { Json } from "../../src/json.ts";
import { typeOfSchema } from "../../src/types/schema.ts";
import type { Type } from "../../src/types/type.ts";

/** The type of a schema, and the codes of its diagnostics. */
export function read(
  schema: unknown,
  fragment = "",
): { readonly type: Type | undefined; readonly findings: readonly string[] } {
  const findings: string[] = [];
  const text = typeof schema === "string" ? schema : JSON.stringify(schema);
  const [document] = readDocuments({ path: "schema.json", text }, ({ code }) => findings.push(code));
  if (!document) throw new Error(`This text is no document: ${findings.join(", ")}.`);
  return { type: typeOfSchema(document, fragment, ({ code }) => findings.push(code)), findings };
}

/** The type of a schema without errors. */
export function schemaType(schema: unknown): Type {
  const { type, findings } = read(schema);
  if (!type || findings.length > 0) throw new Error(`This schema has faults: ${findings.join(", ")}.`);
  return type;
}

/** Parses JSON text, so that `__proto__` is an ordinary key. */
export const json = (text: string): Json => JSON.parse(text) as Json;
