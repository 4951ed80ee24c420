import { schema, validate } from "../../generated/serverless-workflow-0.8.js";
import { type JsonObject, own } from "../../json.ts";
import type { Language } from "../../language.ts";
import { createValidator, recover } from "../../schema/index.ts";
import { canonicalize, readResources } from "./canonicalize.ts";
import { optionDefinitions } from "./context.ts";
import { detect } from "./detect.ts";
import { namePlaces } from "./name-places.ts";
import { starter } from "./starter.ts";
import { link, lower } from "./workflow.ts";

/** CNCF Serverless Workflow 0.8, and the resources of SonataFlow. */
export const serverlessWorkflow08: Language = {
  name: "serverless-workflow-0.8",
  aliases: ["swf0.8"],
  summary: "CNCF Serverless Workflow 0.8, including SonataFlow (JSON or YAML)",
  terminology: { step: "state", functions: "functions", events: "events", mayWaitIndefinitely: true },
  errorFields: ["status"],
  inputs: "objects",
  options: optionDefinitions,
  starter,
  sniff: /(?:^|[\s{,"'])states["']?\s*:/i,
  read: (_, plain) => readResources(plain),
  detect,
  canonicalize,
  schema,
  names: namePlaces,
  validator: () => createValidator(validate, schema),
  recover: (document) => recover(document, schema(), placeholderState),
  lower,
  link,
};

function placeholderState(object: JsonObject): JsonObject | undefined {
  const name = own(object, "name");
  if (typeof name !== "string" || own(object, "type") === undefined) return undefined;
  return { name, type: "inject", data: {}, end: {} };
}
