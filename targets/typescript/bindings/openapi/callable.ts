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
import type { Setting } from "../configuration.ts";

/** An operation with everything needed to call it. */
export interface CallableOperation {
  readonly operation: OpenapiOperation;
  readonly parameters: readonly OpenapiParameter[];
  readonly body: RequestBody | undefined;
  readonly server: Setting;
}

/** Prepares calls to the server of the binding, or else of the document. */
export function makeCallable(
  found: OpenapiOperation,
  document: OpenapiDocument,
  bound: Setting | undefined,
): CallableOperation | UncallableReason {
  const parameters = parametersOf(document, found);
  if (!parameters) return { reason: "one of its parameters has no `name` or no `in`" };
  const body = bodyOf(document, found, parameters);
  const server = bound ?? serverOf(document, found);
  const problem = checkParameters(found, parameters, document) ?? checkBody(found, body);
  if (problem) return problem;
  if (server === undefined || (typeof server === "string" && !/^https?:\/\/[^\s"<>\\^`|{}]+$/i.test(server))) {
    return { reason: "its document contains no usable server URL", hint: "Add `server` next to `openapi`." };
  }
  return { operation: found, parameters, body: body === "unknown" ? undefined : body, server };
}

/** The part of the argument that is the body, and its schema. */
export interface RequestBody {
  readonly place: "member" | "rest";
  readonly required: boolean;
  readonly schema: Json;
}

/**
 * The body, which is the argument without the parameters, or the member `body` if it may collide with them; `unknown`
 * if it is not JSON.
 */
export function bodyOf(
  { root }: OpenapiDocument,
  { operation }: OpenapiOperation,
  parameters: readonly OpenapiParameter[],
): RequestBody | undefined | "unknown" {
  const given = own(operation, "requestBody");
  if (given === undefined) return undefined;
  const body = resolveReference(root, given);
  const schema = isObject(body) ? jsonSchemaIn(own(body, "content")) : undefined;
  if (!isObject(body) || schema === undefined) return "unknown";
  const names = new Set(parameters.map(({ name }) => name));
  const isMember = names.size > 0 && !allowsDisjointObject(root, schema, names, { parts: 1000 });
  return { place: isMember ? "member" : "rest", required: own(body, "required") === true, schema };
}

/** Why an operation cannot be called, as a clause. */
interface UncallableReason {
  readonly reason: string;
  readonly hint?: string | undefined;
}

function checkParameters(
  { path }: OpenapiOperation,
  parameters: readonly OpenapiParameter[],
  document: OpenapiDocument,
): UncallableReason | undefined {
  const unknown = parameters.find((parameter) => styleOf(document, parameter) === undefined);
  if (unknown) return { reason: `the serialization of its parameter \`${unknown.name}\` is not supported` };
  const names = new Set(parameters.flatMap(({ place, name }) => (place === "path" ? [name] : [])));
  const missing = [...path.matchAll(/\{([^{}]*)\}/g)].find(([, name]) => !names.has(name!));
  return missing && { reason: `its path contains \`${missing[0]}\`, which is not a parameter` };
}

function checkBody({ method }: OpenapiOperation, body: ReturnType<typeof bodyOf>): UncallableReason | undefined {
  if (body === "unknown") return { reason: "its body is not JSON" };
  return body && /^(?:GET|HEAD)$/.test(method) ? { reason: `${method} requests cannot have a body` } : undefined;
}

/** Whether a schema allows objects without these members; false if it is too large or recursive. */
function allowsDisjointObject(
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
  return parts.every((part) => allowsDisjointObject(root, part as Json, names, left));
}
