import { schema, validate } from "../../generated/yawl.js";
import { spelling } from "../../generated/yawl-definition.ts";
import { isObject, type JsonObject, own } from "../../json.ts";
import type { FrontEnd } from "../../language.ts";
import { createValidator, recover } from "../../schema/index.ts";
import { nearestName } from "../../text/messages.ts";
import { canonicalize } from "../shared/spelling.ts";
import { typicalKinds } from "./detect.ts";
import { isStepKind } from "./step-kinds.ts";
import { lower } from "./workflow.ts";

/** What reads definitions. */
export const frontEnd: FrontEnd = {
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
