import { schema, validate } from "../../generated/serverless-workflow-0.8.js";
import { type JsonObject, own } from "../../json.ts";
import type { FrontEnd } from "../../language.ts";
import { createValidator, recover } from "../../schema/index.ts";
import { canonicalize } from "./canonicalize.ts";
import { namePlaces } from "./name-places.ts";
import { link, lower } from "./workflow.ts";

/** What reads definitions. */
export const frontEnd: FrontEnd = {
  canonicalize,
  schema,
  names: namePlaces,
  validator: () => createValidator(validate, schema),
  recover: (document) => recover(document, schema(), placeholder),
  lower,
  link,
};

function placeholder(object: JsonObject, list: string | undefined): JsonObject | undefined {
  const name = own(object, "name");
  if (typeof name !== "string") return undefined;
  if (list === "functions") return { name, type: "custom", operation: name };
  if (list !== "states") return undefined;
  return { name, type: "inject", data: {}, end: {} };
}
