import { schema, validate } from "../../generated/serverless-workflow-1.0.js";
import type { JsonObject } from "../../json.ts";
import type { Language } from "../../language.ts";
import { createValidator, recover } from "../../schema/index.ts";
import { canonicalize } from "./canonicalize.ts";
import { optionDefinitions, taskKinds } from "./context.ts";
import { detect } from "./detect.ts";
import { namePlaces } from "./name-places.ts";
import { starter } from "./starter.ts";
import { link, lower } from "./workflow.ts";

/** CNCF Serverless Workflow 1.0, the Open Workflow Specification. */
export const serverlessWorkflow10: Language = {
  name: "serverless-workflow-1.0",
  aliases: ["swf", "swf1", "swf1.0"],
  version: "1.0.0 to 1.0.3",
  summary: "Serverless Workflow 1.0, the Open Workflow Specification (YAML or JSON)",
  terminology: { step: "task", mayWaitIndefinitely: true },
  options: optionDefinitions,
  starter,
  sniff: /(?:^|[\s{,"'])dsl["']?\s*:/i,
  detect,
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
