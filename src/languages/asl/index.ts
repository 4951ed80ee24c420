import { schema, validate } from "../../generated/asl.js";
import type { Language } from "../../language.ts";
import { createValidator } from "../../schema/index.ts";
import { detect, embedded, embeds, read } from "./files/index.ts";
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
  sniff: /(?:^|[\s{,"'])StartAt["']?\s*:|AWS::(?:Serverless|StepFunctions)::StateMachine/,
  read,
  detect,
  embeds,
  embedded,
  canonicalize: (document) => document,
  schema,
  validator: () => createValidator(validate, schema, "error"),
  lower,
};
