import { schema, validate } from "../../generated/composer-fsm.js";
import { type JsonObject, own } from "../../json.ts";
import type { Language } from "../../language.ts";
import type { OptionDefinition } from "../../options.ts";
import { createValidator, recover } from "../../schema/index.ts";
import { removeUnreachable } from "./canonicalize.ts";
import { detect } from "./detect.ts";
import { link, lower } from "./workflow.ts";

const options: readonly OptionDefinition[] = [
  {
    name: "missingAction",
    values: ["reject", "catch"],
    fallback: "reject",
    summary:
      "Whether a missing action (error `ActionNotFound`) rejects the run, as in Composer, or is an error that a handler can catch, as documented.",
  },
  {
    name: "globals",
    values: ["standard", "any"],
    fallback: "standard",
    summary: "Which names functions may use in addition to variables: those of JavaScript, or any, unchecked.",
  },
];

/** OpenWhisk Composer's JSON format, versions 0.1. */
export const composerFsm: Language = {
  name: "composer-fsm",
  version: "that of Composer 0.1",
  summary: "OpenWhisk Composer's JSON format { Entry, Exit, States }",
  terminology: { step: "state" },
  errorFields: [],
  defaultResult: {},
  inputs: "objects",
  options,
  sniff: /(?:^|[\s{,"'])States["']?\s*:/,
  detect: detect,
  canonicalize: removeUnreachable,
  validator: () => createValidator(validate, schema),
  recover: (document) => recover(document, schema(), placeholderState),
  lower,
  link,
};

function placeholderState(object: JsonObject): JsonObject | undefined {
  if (own(object, "Type") === undefined) return undefined;
  const next = own(object, "Next");
  return { Type: "Pass", ...(typeof next === "string" ? { Next: next } : {}), "x-unread": true };
}
