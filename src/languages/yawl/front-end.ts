import { schema, validate } from "../../generated/yawl.js";
import { spelling } from "../../generated/yawl-definition.ts";
import { isObject, type JsonObject, own } from "../../json.ts";
import type { FrontEnd } from "../../language.ts";
import { createValidator, recover } from "../../schema/index.ts";
import { canonicalize } from "../shared/spelling.ts";
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
function placeholderStep(object: JsonObject, list: string | undefined): JsonObject | undefined {
  if (list !== "steps") return undefined;
  const members = Object.entries(object);
  const [, value] = members.find(([key]) => isStepKind(key)) ?? members.find(([, each]) => isObject(each)) ?? [];
  const next = isObject(value) ? own(value, "next") : undefined;
  return { noOp: typeof next === "string" ? { next } : {} };
}
