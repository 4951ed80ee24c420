import { isObject, type Json, type JsonObject, own } from "../../../../src/json.ts";
import { type OpenapiDocument, resolved } from "./document.ts";

/** An operation where it stands in its document. */
export interface FoundOperation {
  readonly id: string;
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  readonly operation: JsonObject;
  /** What it shares with the other operations of its path. */
  readonly shared: JsonObject;
}

/** The operations of a document that have an id, in order. */
export function operationsIn({ root }: OpenapiDocument): readonly FoundOperation[] {
  const paths = own(root, "paths");
  if (!isObject(paths)) return [];
  return Object.entries(paths).flatMap(([path, given]) => {
    const shared = resolved(root, given);
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

const methods = ["get", "put", "post", "delete", "options", "head", "patch"];

/** A parameter of an operation. */
export interface FoundParameter {
  readonly name: string;
  readonly place: string;
  readonly required: boolean;
  readonly parameter: JsonObject;
}

/** The parameters of an operation, with those of its path; undefined where one of them is none. */
export function parametersOf(
  { root }: OpenapiDocument,
  { operation, shared }: FoundOperation,
): readonly FoundParameter[] | undefined {
  const found = new Map<string, FoundParameter>();
  for (const given of [...listIn(shared, "parameters"), ...listIn(operation, "parameters")]) {
    const parameter = resolved(root, given);
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

/** The address of the server of an operation, with the variables' defaults; undefined where the document gives none. */
export function serverOf({ root }: OpenapiDocument, { operation, shared }: FoundOperation): string | undefined {
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

/** The schema of the JSON in a `content`, `{}` where it has none; undefined where there is no JSON. */
export function jsonSchemaIn(content: Json | undefined): Json | undefined {
  if (!isObject(content)) return undefined;
  const type = Object.keys(content).find((name) =>
    /^(?:application|text)\/(?:[\w.+-]+\+)?json\s*(?:;|$)|^\*\/\*$/i.test(name),
  );
  const media = type === undefined ? undefined : own(content, type);
  return isObject(media) ? (own(media, "schema") ?? {}) : undefined;
}

function listIn(owner: JsonObject, name: string): readonly Json[] {
  const list = own(owner, name);
  return Array.isArray(list) ? (list as readonly Json[]) : [];
}
