import { schema, validate } from "../../generated/composer-fsm.js";
import { type JsonObject, own } from "../../json.ts";
import type { FrontEnd } from "../../language.ts";
import { createValidator, recover } from "../../schema/index.ts";
import { removeUnreachable } from "./canonicalize.ts";
import { link, lower } from "./workflow.ts";

/** What reads definitions. */
export const frontEnd: FrontEnd = {
  canonicalize: removeUnreachable,
  schema,
  validator: () => createValidator(validate, schema),
  recover: (document) => recover(document, schema(), placeholderState),
  lower,
  link,
};

function placeholderState(object: JsonObject, list: string | undefined): JsonObject | undefined {
  if (list !== "States") return undefined;
  const next = own(object, "Next");
  return { Type: "Pass", ...(typeof next === "string" ? { Next: next } : {}), "x-unread": true };
}
