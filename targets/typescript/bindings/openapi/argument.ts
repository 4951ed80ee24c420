import { js, type Type } from "../../../../src/code/index.ts";
import { isObject, type Json, type JsonObject, own } from "../../../../src/json.ts";
import { joined, jsonObject } from "../types.ts";
import type { Callable } from "./callable.ts";
import { resolved } from "./document.ts";
import { jsonSchemaIn } from "./operations.ts";
import type { SchemaTypes } from "./types.ts";

/** The type of what an operation takes: its parameters, and its body among them or in a member of that name. */
export function argumentType({ parameters, body }: Callable, types: SchemaTypes): Type {
  const members = parameters.map(({ name, required, parameter }) =>
    js.propertySignature(name, types.typeOf(own(parameter, "schema")), { optional: !required }),
  );
  const asMember =
    body?.place === "member"
      ? [js.propertySignature("body", types.typeOf(body.schema), { optional: !body.required })]
      : [];
  const all = [...members, ...asMember];
  const parts = [
    ...(all.length === 0 ? [] : [js.objectType(all)]),
    ...(body?.place === "rest" ? [types.typeOf(body.schema)] : []),
  ];
  return parts.length === 0 ? jsonObject : joined(parts, "&");
}

/** The type of what an operation answers when it succeeds. */
export function answerType({ found }: Callable, root: JsonObject, types: SchemaTypes): Type {
  return types.typeOf(answerSchema(root, own(found.operation, "responses")));
}

function answerSchema(root: JsonObject, responses: Json | undefined): Json {
  if (!isObject(responses)) return {};
  const status = Object.keys(responses).find((name) => /^2(?:\d\d|XX)$/i.test(name)) ?? "default";
  const response = resolved(root, own(responses, status));
  if (!isObject(response)) return {};
  return Object.hasOwn(response, "content") ? (jsonSchemaIn(response["content"]) ?? {}) : { type: "null" };
}
