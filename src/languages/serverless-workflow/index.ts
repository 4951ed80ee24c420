import { schema, validate } from "../../generated/serverless-workflow.js";
import { spelling } from "../../generated/serverless-workflow-definition.ts";
import { type JsonObject, own } from "../../json.ts";
import type { Language } from "../../language.ts";
import { createValidator, recover } from "../../schema/index.ts";
import { canonicalize } from "../shared/spelling.ts";
import { optionDefinitions } from "./context.ts";
import { detect } from "./detect.ts";
import { starter } from "./starter.ts";
import { link, lower } from "./workflow.ts";

/** CNCF Serverless Workflow, draft of June 2020. */
export const serverlessWorkflow: Language = {
  name: "serverless-workflow",
  aliases: ["swf2020"],
  version: "the draft of June 2020",
  summary: "CNCF Serverless Workflow, draft of June 2020 (JSON or YAML)",
  terminology: { step: "state", functions: "functions", events: "events" },
  errorFields: ["trace"],
  inputs: "objects",
  options: optionDefinitions,
  starter,
  sniff: /(?:^|[\s{,"'])states["']?\s*:/i,
  detect: detect,
  canonicalize: (document, report) => canonicalize(document, spelling, report),
  schema,
  validator: () => createValidator(validate, schema),
  recover: (document) => recover(document, schema(), placeholderState),
  lower,
  link,
};

function placeholderState(object: JsonObject): JsonObject | undefined {
  const name = own(object, "name");
  if (typeof name !== "string" || own(object, "type") === undefined) return undefined;
  const start = own(object, "start") === undefined ? {} : { start: { kind: "default" } };
  return { name, type: "inject", ...start, end: { kind: "default" } };
}
