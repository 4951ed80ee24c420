import { isObject, type Json, type JsonObject, own } from "../json.ts";
import type { Document } from "./document.ts";

/** An OpenAPI 3 document. */
export interface OpenapiDocument {
  readonly document: Document;
  readonly root: JsonObject;
}

/** Checks for OpenAPI 3.0 or 3.1; `detail` explains a failure. */
export function parseOpenapi(document: Document): OpenapiDocument | { readonly detail: string } {
  const { value } = document;
  const version = isObject(value) ? own(value, "openapi") : undefined;
  if (isObject(value) && typeof version === "string" && /^3\.[01](?:\.|$)/.test(version))
    return { document, root: value };
  const found =
    isObject(value) && Object.hasOwn(value, "swagger") ? "a Swagger document of version 2" : "none of these";
  return { detail: `OpenAPI documents of versions 3.0 and 3.1 are read, and this is ${found}.` };
}

/** Follows `$ref`s; undefined if dangling or circular. */
export function resolveReference(root: JsonObject, value: Json | undefined): Json | undefined {
  let found = value;
  for (let steps = 0; steps < 100; steps += 1) {
    const reference = isObject(found) ? own(found, "$ref") : undefined;
    if (typeof reference !== "string") return found;
    found = resolvePointer(root, reference);
  }
  return undefined;
}

/** An operation and its location. */
export interface OpenapiOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly operation: JsonObject;
  readonly shared: JsonObject;
}

/** Lists the operations with an id. */
export function operationsIn({ root }: OpenapiDocument): readonly OpenapiOperation[] {
  const paths = own(root, "paths");
  if (!isObject(paths)) return [];
  return Object.entries(paths).flatMap(([path, given]) => {
    const shared = resolveReference(root, given);
    if (!isObject(shared)) return [];
    return methods.flatMap((method) => {
      const operation = own(shared, method);
      const id = isObject(operation) ? own(operation, "operationId") : undefined;
      return isObject(operation) && typeof id === "string"
        ? [{ id, method: method.toUpperCase(), path, operation, shared }]
        : [];
    });
  });
}

/** A parameter of an operation. */
export interface OpenapiParameter {
  readonly name: string;
  readonly place: string;
  readonly required: boolean;
  readonly parameter: JsonObject;
}

/** Lists the parameters of an operation; undefined if invalid. */
export function parametersOf(
  { root }: OpenapiDocument,
  { operation, shared }: OpenapiOperation,
): readonly OpenapiParameter[] | undefined {
  const found = new Map<string, OpenapiParameter>();
  for (const given of [...listIn(shared, "parameters"), ...listIn(operation, "parameters")]) {
    const parameter = resolveReference(root, given);
    const [name, place] = isObject(parameter) ? [own(parameter, "name"), own(parameter, "in")] : [];
    if (!isObject(parameter) || typeof name !== "string" || typeof place !== "string") return undefined;
    found.set(`${place} ${name}`, {
      name,
      place,
      required: place === "path" || own(parameter, "required") === true,
      parameter,
    });
  }
  return [...found.values()];
}

/** The URL of the server with default variables, if given. */
export function serverOf({ root }: OpenapiDocument, { operation, shared }: OpenapiOperation): string | undefined {
  const [server] =
    [operation, shared, root].map((owner) => listIn(owner, "servers")).find((servers) => servers.length > 0) ?? [];
  const url = isObject(server) ? own(server, "url") : undefined;
  if (!isObject(server) || typeof url !== "string") return undefined;
  const variables = own(server, "variables");
  return url.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = isObject(variables) ? own(variables, name) : undefined;
    const value = isObject(variable) ? own(variable, "default") : undefined;
    return typeof value === "string" ? value : whole;
  });
}

/** The schema of JSON `content`, by default `{}`; undefined if not JSON. */
export function jsonSchemaIn(content: Json | undefined): Json | undefined {
  if (!isObject(content)) return undefined;
  const type = Object.keys(content).find((name) =>
    /^(?:application|text)\/(?:[\w.+-]+\+)?json\s*(?:;|$)|^\*\/\*$/i.test(name),
  );
  const media = type === undefined ? undefined : own(content, type);
  return isObject(media) ? (own(media, "schema") ?? {}) : undefined;
}

/** The serialization of arrays and objects in a parameter; undefined if unsupported. */
export function styleOf(
  { root }: OpenapiDocument,
  { place, parameter }: OpenapiParameter,
): "" | "joined" | "deepObject" | "members" | undefined {
  if (Object.hasOwn(parameter, "content")) return undefined;
  const style = own(parameter, "style");
  if (place === "query")
    return queryStyle(style ?? "form", own(parameter, "explode"), isObjectParameter(root, parameter));
  if (place === "cookie") return style === undefined || style === "form" ? "" : undefined;
  return (place === "path" || place === "header") && (style === undefined || style === "simple") ? "" : undefined;
}

function resolvePointer(root: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith("#/")) return undefined;
  let found: Json | undefined = root;
  for (const token of reference.slice(2).split("/")) {
    const name = unescaped(token);
    if (Array.isArray(found)) found = (found as readonly Json[])[Number(name)];
    else found = isObject(found) ? own(found, name) : undefined;
  }
  return found;
}

function unescaped(token: string): string {
  try {
    return decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return token;
  }
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch"];

function listIn(owner: JsonObject, name: string): readonly Json[] {
  const list = own(owner, name);
  return Array.isArray(list) ? (list as readonly Json[]) : [];
}

function queryStyle(style: unknown, explode: unknown, isObjectValue: boolean) {
  if (style === "deepObject") return "deepObject";
  if (style !== "form") return undefined;
  if (explode === false) return isObjectValue ? undefined : "joined";
  return isObjectValue ? "members" : "";
}

function isObjectParameter(root: OpenapiDocument["root"], parameter: OpenapiDocument["root"]): boolean {
  const schema = resolveReference(root, own(parameter, "schema"));
  return isObject(schema) && (own(schema, "type") === "object" || Object.hasOwn(schema, "properties"));
}
