import { schema, validate } from "../../generated/function-workflow.js";
import { spelling } from "../../generated/function-workflow-definition.ts";
import { type JsonObject, own } from "../../json.ts";
import type { Language } from "../../language.ts";
import { recover, validatorOf } from "../../schema/index.ts";
import { normalise } from "../shared/index.ts";
import { likeness } from "./detect.ts";
import { unread } from "./filters.ts";
import { keyedByName } from "./lists.ts";
import { isNearlyJson, readTolerantly } from "./reader/index.ts";
import { lower } from "./workflow.ts";

/** Keys that no other language has. */
const trace = /(?:^|["'“„\s{,])(?:trigger-defs|next-state|action-mode|event-expression)["'”\s]*:/i;

/** CNCF Function Workflow 0.1, of 2018. */
export const functionWorkflow: Language = {
  name: "function-workflow",
  version: "0.1",
  summary: "CNCF Function Workflow 0.1 (JSON or YAML)",
  words: { step: "state", events: "trigger-defs" },
  errorMembers: [],
  options: [],
  trace,
  read: (source, plain, isAsked) =>
    (isAsked || trace.test(source.text)) && isNearlyJson(source, plain) ? readTolerantly(source) : undefined,
  likeness,
  normalise: (document, report) => normalise(keyedByName(document, report), spelling, report),
  validator: () => validatorOf(validate, schema, "error"),
  recover: (document) => recover(document, schema(), stateInstead),
  lower,
};

/** A state that cannot be read still has its name, and may be the first one; of what follows it nothing is known. */
function stateInstead(object: JsonObject): JsonObject | undefined {
  if (own(object, "type") === undefined) return undefined;
  const start = own(object, "start") ?? false;
  return { type: "OPERATION", [unread]: true, ...(start === false ? {} : { start: true }) };
}
