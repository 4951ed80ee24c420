import { schema, validate } from "../../generated/function-workflow.js";
import { spelling } from "../../generated/function-workflow-definition.ts";
import { type JsonObject, own } from "../../json.ts";
import type { Language } from "../../language.ts";
import { createValidator, recover } from "../../schema/index.ts";
import { canonicalize } from "../shared/spelling.ts";
import { keyByName } from "./canonicalize.ts";
import { detect } from "./detect.ts";
import { isNearlyJson, readTolerantly } from "./reader/index.ts";
import { starter } from "./starter.ts";
import { unreadableMark } from "./transitions.ts";
import { lower } from "./workflow.ts";

const sniff = /(?:^|["'“„\s{,])(?:trigger-defs|next-state|action-mode|event-expression)["'”\s]*:/i;

/** CNCF Function Workflow 0.1 (2018). */
export const functionWorkflow: Language = {
  name: "function-workflow",
  aliases: ["fw"],
  version: "0.1",
  summary: "CNCF Function Workflow 0.1 (JSON or YAML)",
  terminology: { step: "state", events: "trigger-defs" },
  errorFields: [],
  options: [],
  starter,
  sniff,
  read: (source, plain, isExplicit) =>
    (isExplicit || sniff.test(source.text)) && isNearlyJson(source, plain) ? readTolerantly(source) : undefined,
  detect,
  canonicalize: (document, report) => canonicalize(keyByName(document, report), spelling, report),
  schema,
  validator: () => createValidator(validate, schema),
  recover: (document) => recover(document, schema(), placeholderState),
  lower,
};

function placeholderState(object: JsonObject): JsonObject | undefined {
  if (own(object, "type") === undefined) return undefined;
  const start = own(object, "start") ?? false;
  return { type: "OPERATION", [unreadableMark]: true, ...(start === false ? {} : { start: true }) };
}
