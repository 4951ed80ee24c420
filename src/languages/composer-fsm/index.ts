import { schema, validate } from "../../generated/composer-fsm.js";
import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import { certainScore, type Detection, type Evidence, type Language, noMatch, threshold } from "../../language.ts";
import type { OptionDefinition } from "../../options.ts";
import { createValidator, recover } from "../../schema/index.ts";
import { removeUnreachable } from "./canonicalize.ts";
import { starter } from "./starter.ts";
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
    summary:
      "Which names functions may use in addition to variables: the globals that all targets have, or any, unchecked.",
  },
];

/** OpenWhisk Composer's JSON format, versions 0.1. */
export const composerFsm: Language = {
  name: "composer-fsm",
  aliases: ["composer"],
  version: "that of Composer 0.1",
  summary: "OpenWhisk Composer's JSON format { Entry, Exit, States }",
  terminology: { step: "state" },
  errorFields: [],
  defaultResult: {},
  inputs: "objects",
  options,
  starter,
  sniff: /(?:^|[\s{,"'])States["']?\s*:/,
  detect: detect,
  canonicalize: removeUnreachable,
  schema,
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

/** Detects compositions by their top-level members and state types. */
export function detect(value: Json): Detection {
  if (!isObject(value) || Object.hasOwn(value, "StartAt")) return noMatch;
  const evidence: readonly Evidence[] = ["Entry", "Exit"]
    .filter((key) => typeof own(value, key) === "string")
    .map((key) => ({ owner: value, key }));
  const states = own(value, "States");
  const stateful = isObject(states)
    ? Object.values(states).filter((state) => isObject(state) && hasTypicalType(state))
    : [];
  const score =
    (evidence.length + (isObject(states) ? 1 : 0)) * (threshold / 3) + (stateful.length > 0 ? threshold / 3 : 0);
  return { score: isObject(states) && evidence.length === 2 ? certainScore : score, evidence };
}

const hasTypicalType = (state: JsonObject): boolean => typicalTypes.has(own(state, "Type"));

const typicalTypes: ReadonlySet<unknown> = new Set(["Push", "Pop", "Try", "Catch", "Let", "End"]);
