import { schema, validate } from "../../generated/function-workflow.js";
import { spelling } from "../../generated/function-workflow-definition.ts";
import { type JsonObject, own } from "../../json.ts";
import type { FrontEnd } from "../../language.ts";
import { createValidator, recover } from "../../schema/index.ts";
import { canonicalize } from "../shared/spelling.ts";
import { keyByName } from "./canonicalize.ts";
import { unreadableMark } from "./transitions.ts";
import { lower } from "./workflow.ts";

/** What reads definitions. */
export const frontEnd: FrontEnd = {
  canonicalize: (document, report) => canonicalize(keyByName(document, report), spelling, report),
  schema,
  validator: () => createValidator(validate, schema),
  recover: (document) => recover(document, schema(), placeholderState),
  lower,
};

function placeholderState(object: JsonObject, list: string | undefined): JsonObject | undefined {
  if (list !== "states") return undefined;
  const start = own(object, "start") ?? false;
  return { type: "OPERATION", [unreadableMark]: true, ...(start === false ? {} : { start: true }) };
}
