import { schema, validate } from "../../generated/yawl.js";
import { spelling } from "../../generated/yawl-definition.ts";
import { isObject, type JsonObject, own } from "../../json.ts";
import type { Language } from "../../language.ts";
import { createValidator, recover } from "../../schema/index.ts";
import { nearestName } from "../../text/messages.ts";
import { canonicalize } from "../shared/spelling.ts";
import { optionDefinitions } from "./context.ts";
import { detect, typicalKinds } from "./detect.ts";
import { lower } from "./workflow.ts";

/** YaWL, the language of Yandex Workflows. */
export const yawl: Language = {
  name: "yawl",
  version: "0.1 and 0.2",
  summary: "YaWL, the language of Yandex Workflows (YAML or JSON)",
  terminology: { step: "step" },
  errorFields: [],
  options: optionDefinitions,
  sniff: /(?:^|[\s{,"'])yawl["']?\s*:/i,
  detect: detect,
  canonicalize: (document, report) => canonicalize(document, spelling, report),
  validator: () => createValidator(validate, schema, "error"),
  recover: (document) => recover(document, schema(), placeholderStep),
  lower,
};

function placeholderStep(object: JsonObject): JsonObject | undefined {
  const isKind = (key: string): boolean => typicalKinds.has(key) || nearestName(key, typicalKinds) !== undefined;
  const what = Object.entries(object).find(([key, value]) => isObject(value) && isKind(key));
  if (!what) return undefined;
  const next = own(what[1] as JsonObject, "next");
  return { noOp: typeof next === "string" ? { next } : {} };
}
