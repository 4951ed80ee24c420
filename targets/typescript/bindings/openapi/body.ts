import { isObject, type Json, own } from "../../../../src/json.ts";
import { type OpenapiDocument, resolved } from "./document.ts";
import { type FoundOperation, type FoundParameter, jsonSchemaIn } from "./operations.ts";

/** The body of an operation: what of the argument it is, and its schema. */
export interface Body {
  readonly place: "member" | "rest";
  readonly required: boolean;
  readonly schema: Json;
}

/**
 * The body of an operation; undefined where it has none, `unknown` where it is not JSON. It is all of the argument that is no parameter, except where it
 * is no object, beside parameters, or has members that are called like these: then it is the member `body`.
 */
export function bodyOf(
  { root }: OpenapiDocument,
  { operation }: FoundOperation,
  parameters: readonly FoundParameter[],
): Body | undefined | "unknown" {
  const given = own(operation, "requestBody");
  if (given === undefined) return undefined;
  const body = resolved(root, given);
  const schema = isObject(body) ? jsonSchemaIn(own(body, "content")) : undefined;
  if (!isObject(body) || schema === undefined) return "unknown";
  const names = new Set(parameters.map(({ name }) => name));
  const isMember = names.size > 0 && !isObjectSchema(root, schema, names, { parts: 1000 });
  return { place: isMember ? "member" : "rest", required: own(body, "required") === true, schema };
}

/** Whether a schema allows objects, none of whose members has one of these names; false for one that has too many parts to tell, or is part of itself. */
function isObjectSchema(
  root: { readonly [key: string]: Json },
  given: Json,
  names: ReadonlySet<string>,
  left: { parts: number },
): boolean {
  const schema = resolved(root, given);
  left.parts -= 1;
  if (schema === undefined || left.parts < 0) return false;
  if (!isObject(schema)) return true;
  const properties = own(schema, "properties");
  if (isObject(properties) && Object.keys(properties).some((name) => names.has(name))) return false;
  const type = own(schema, "type");
  if (type !== undefined && type !== "object" && !(Array.isArray(type) && type.includes("object"))) return false;
  const parts = ["allOf", "oneOf", "anyOf"].flatMap((keyword) => own(schema, keyword) ?? []);
  return parts.every((part) => isObjectSchema(root, part as Json, names, left));
}
