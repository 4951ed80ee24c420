import { schema, validate } from "../../generated/sm4c.js";
import { type JsonObject, own } from "../../json.ts";
import type { FrontEnd } from "../../language.ts";
import { createValidator, recover } from "../../schema/index.ts";
import { canonicalize, withMeantStarts } from "./canonicalize.ts";
import { link, lower } from "./workflow.ts";

/** What reads definitions. */
export const frontEnd: FrontEnd = {
  canonicalize,
  schema,
  validator: () => createValidator(validate, schema),
  recover: (document) => recover(withMeantStarts(document), schema(), placeholder),
  lower,
  link,
};

function placeholder(object: JsonObject, list: string | undefined): JsonObject | undefined {
  const name = own(object, "name");
  if (typeof name === "string" && list === "functions") return { name, type: "expression", operation: `\${ . }` };
  if (typeof name === "string" && list === "retries") return { name, maxAttempts: 1 };
  const isState = ["transitions", "enterAction", "exitAction", "start", "inputFilter"].some((key) =>
    Object.hasOwn(object, key),
  );
  return typeof name === "string" && isState ? { name, start: own(object, "start") === true } : undefined;
}
