import { schema, validate } from "../../generated/serverless-workflow-1.0.js";
import type { JsonObject } from "../../json.ts";
import type { FrontEnd } from "../../language.ts";
import { createValidator, recover } from "../../schema/index.ts";
import { canonicalize } from "./canonicalize.ts";
import { taskKinds } from "./context.ts";
import { namePlaces } from "./name-places.ts";
import { link, lower } from "./workflow.ts";

/** What reads definitions. */
export const frontEnd: FrontEnd = {
  canonicalize,
  schema,
  names: namePlaces,
  validator: () => createValidator(validate, schema, "error"),
  recover: (document) => recover(document, schema(), placeholderTask),
  lower,
  link,
};

/** A task that leaves the data as it is, so that references to an unreadable task are known. */
function placeholderTask(object: JsonObject): JsonObject | undefined {
  return taskKinds.some((kind) => Object.hasOwn(object, kind)) ? { wait: { seconds: 0 } } : undefined;
}
