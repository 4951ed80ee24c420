import { schema, validate } from "../../generated/asl.js";
import type { FrontEnd } from "../../language.ts";
import { createValidator } from "../../schema/index.ts";
import { canonicalize } from "./canonicalize.ts";
import { lower } from "./workflow.ts";

/** What reads definitions. */
export const frontEnd: FrontEnd = {
  canonicalize,
  schema,
  validator: () => createValidator(validate, schema, "error"),
  lower,
};
