import { schema, validate } from "../../generated/asl.js";
import type { Language } from "../../language.ts";
import { createValidator } from "../../schema/index.ts";
import { detect } from "./detect.ts";
import { starter } from "./starter.ts";
import { lower } from "./workflow.ts";

/** The Amazon States Language of AWS Step Functions. */
export const asl: Language = {
  name: "asl",
  version: "1.0",
  summary: "Amazon States Language, the language of AWS Step Functions (JSON or YAML)",
  terminology: { step: "state" },
  options: [],
  starter,
  sniff: /(?:^|[\s{,"'])StartAt["']?\s*:/,
  detect,
  canonicalize: (document) => document,
  schema,
  validator: () => createValidator(validate, schema, "error"),
  lower,
};
