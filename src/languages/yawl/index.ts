import { schema, validate } from "../../generated/yawl.js";
import { spelling } from "../../generated/yawl-definition.ts";
import { isObject, type JsonObject, own } from "../../json.ts";
import type { Language } from "../../language.ts";
import { createValidator, recover } from "../../schema/index.ts";
import { nearestName } from "../../text/messages.ts";
import { canonicalize } from "../shared/spelling.ts";
import { optionDefinitions } from "./context.ts";
import { detect, typicalKinds } from "./detect.ts";
import { starter } from "./starter.ts";
import { isStepKind } from "./step-kinds.ts";
import { lower } from "./workflow.ts";

/** YaWL, the language of Yandex Workflows. */
export const yawl: Language = {
  name: "yawl",
  version: "0.1 and 0.2",
  summary: "YaWL, the language of Yandex Workflows (YAML or JSON)",
  terminology: { step: "step" },
  errorFields: [],
  options: optionDefinitions,
  starter,
  sniff: /(?:^|[\s{,"'])yawl["']?\s*:/i,
  detect: detect,
  canonicalize: (document, report) => canonicalize(document, spelling, report),
  schema,
  validator: () => createValidator(validate, schema, "error"),
  recover: (document) => recover(document, schema(), placeholderStep),
  lower,
};

/** A step that does nothing, so that references to an unreadable step are known. */
function placeholderStep(object: JsonObject): JsonObject | undefined {
  const isKind = (key: string): boolean => isStepKind(key) || nearestName(key, typicalKinds) !== undefined;
  const [, value] =
    Object.entries(object).find(([key]) => isStepKind(key)) ??
    Object.entries(object).find(([key, each]) => isObject(each) && isKind(key)) ??
    [];
  if (value === undefined) return undefined;
  const next = isObject(value) ? own(value, "next") : undefined;
  return { noOp: typeof next === "string" ? { next } : {} };
}
