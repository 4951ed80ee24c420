import {
  jsonSchemaIn,
  type OpenapiDocument,
  type OpenapiOperation,
  type OpenapiParameter,
  parametersOf,
  resolveReference,
  serverOf,
  styleOf,
} from "../../../../src/documents/openapi.ts";
import { isObject, type Json, own } from "../../../../src/json.ts";
import type { Setting } from "../configured.ts";

/** An operation with all that it takes to call it. */
export interface Callable {
  readonly found: OpenapiOperation;
  readonly parameters: readonly OpenapiParameter[];
  readonly body: Body | undefined;
  readonly server: Setting;
}

/** An operation as it is called: at the server of the binding, else at that of the document. */
export function callableOf(
  found: OpenapiOperation,
  document: OpenapiDocument,
  bound: Setting | undefined,
): Callable | Obstacle {
  const parameters = parametersOf(document, found);
  if (!parameters) return { reason: "one of its parameters has no `name` or no `in`" };
  const body = bodyOf(document, found, parameters);
  const server = bound ?? serverOf(document, found);
  const obstacle = parameterObstacle(found, parameters, document) ?? bodyObstacle(found, body);
  if (obstacle) return obstacle;
  if (server === undefined || (typeof server === "string" && !/^https?:\/\/[^\s"<>\\^`|{}]+$/i.test(server))) {
    return { reason: "its document contains no usable server URL", hint: "Add `server` next to `openapi`." };
  }
  return { found, parameters, body: body === "unknown" ? undefined : body, server };
}

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
  { operation }: OpenapiOperation,
  parameters: readonly OpenapiParameter[],
): Body | undefined | "unknown" {
  const given = own(operation, "requestBody");
  if (given === undefined) return undefined;
  const body = resolveReference(root, given);
  const schema = isObject(body) ? jsonSchemaIn(own(body, "content")) : undefined;
  if (!isObject(body) || schema === undefined) return "unknown";
  const names = new Set(parameters.map(({ name }) => name));
  const isMember = names.size > 0 && !isObjectSchema(root, schema, names, { parts: 1000 });
  return { place: isMember ? "member" : "rest", required: own(body, "required") === true, schema };
}

/** Why an operation cannot be called, as the end of a sentence. */
interface Obstacle {
  readonly reason: string;
  readonly hint?: string | undefined;
}

function parameterObstacle(
  { path }: OpenapiOperation,
  parameters: readonly OpenapiParameter[],
  document: OpenapiDocument,
): Obstacle | undefined {
  const unknown = parameters.find((parameter) => styleOf(document, parameter) === undefined);
  if (unknown) return { reason: `the serialization of its parameter \`${unknown.name}\` is not supported` };
  const names = new Set(parameters.flatMap(({ place, name }) => (place === "path" ? [name] : [])));
  const missing = [...path.matchAll(/\{([^{}]*)\}/g)].find(([, name]) => !names.has(name!));
  return missing && { reason: `its path contains \`${missing[0]}\`, which is not a parameter` };
}

function bodyObstacle({ method }: OpenapiOperation, body: ReturnType<typeof bodyOf>): Obstacle | undefined {
  if (body === "unknown") return { reason: "its body is not JSON" };
  return body && /^(?:GET|HEAD)$/.test(method) ? { reason: `${method} requests cannot have a body` } : undefined;
}

/** Whether a schema allows objects, none of whose members has one of these names; false for one that has too many parts to tell, or is part of itself. */
function isObjectSchema(
  root: { readonly [key: string]: Json },
  given: Json,
  names: ReadonlySet<string>,
  left: { parts: number },
): boolean {
  const schema = resolveReference(root, given);
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
