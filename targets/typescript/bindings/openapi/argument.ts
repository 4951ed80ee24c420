import { isObject, type Json, type JsonObject, own } from "../../../../src/json.ts";
import type { Callable } from "./callable.ts";
import { resolved } from "./document.ts";
import { jsonSchemaIn } from "./operations.ts";
import { grouped, joined, membersText, type SchemaTypes } from "./types.ts";

/** The type of what an operation takes: its parameters, and its body among them or in a member of that name. */
export function argumentType({ parameters, body }: Callable, types: SchemaTypes): string {
  const members = parameters.map(({ name, required, parameter }) => ({
    name,
    isRequired: required,
    type: types.typeOf(own(parameter, "schema")),
  }));
  const asMember =
    body?.place === "member" ? [{ name: "body", isRequired: body.required, type: types.typeOf(body.schema) }] : [];
  const all = [...members, ...asMember];
  const parts = [
    ...(all.length === 0 ? [] : [membersText(all)]),
    ...(body?.place === "rest" ? [types.typeOf(body.schema)] : []),
  ];
  return parts.length === 2 ? joined(parts.map(grouped), " & ") : (parts[0] ?? "JsonObject");
}

/** The type of what an operation answers when it succeeds. */
export function answerType({ found }: Callable, root: JsonObject, types: SchemaTypes): string {
  return types.typeOf(answerSchema(root, own(found.operation, "responses")));
}

function answerSchema(root: JsonObject, responses: Json | undefined): Json {
  if (!isObject(responses)) return {};
  const status = Object.keys(responses).find((name) => /^2(?:\d\d|XX)$/i.test(name)) ?? "default";
  const response = resolved(root, own(responses, status));
  if (!isObject(response)) return {};
  return Object.hasOwn(response, "content") ? (jsonSchemaIn(response["content"]) ?? {}) : { type: "null" };
}
