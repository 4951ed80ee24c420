import type { Document } from "../../documents/index.ts";
import { schema, validate } from "../../generated/composer-fsm.js";
import type { Composition, State } from "../../generated/composer-fsm-definition.ts";
import type { Workflow } from "../../ir/workflow.ts";
import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import {
  certainScore,
  type Detection,
  type Evidence,
  type Language,
  type LowerContext,
  noMatch,
  threshold,
} from "../../language.ts";
import type { OptionDefinition } from "../../options.ts";
import { recover, validatorOf } from "../../schema/index.ts";
import type { Report } from "../../text/diagnostics.ts";
import type { Reading } from "../shared/index.ts";
import { removeUnreachable } from "./canonicalize.ts";
import { checkReached, checkStacks, checkStates } from "./checks.ts";
import { params } from "./context.ts";
import { uncheckedVisits } from "./error-flow.ts";
import { checkNames, checkSymbols, type FunctionBody, hasFunction, readFunction } from "./functions.ts";
import { link } from "./link.ts";
import { lowerVisits } from "./states.ts";
import { findVisits, type Visit, type Visits } from "./visits.ts";

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

/** OpenWhisk Composer's JSON format of its versions 0.1. */
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
  validator: () => validatorOf(validate, schema),
  recover: (document) => recover(document, schema(), placeholderState),
  lower,
  link,
};

/** How much a document has of the three members that only compositions have together, and of states with their types. */
function detect(value: Json): Detection {
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

/** The types of states that Amazon States Language does not have. */
const typicalTypes: ReadonlySet<unknown> = new Set(["Push", "Pop", "Try", "Catch", "Let", "End"]);

/** A state that cannot be read still has its name, and leads where it does. */
function placeholderState(object: JsonObject): JsonObject | undefined {
  if (own(object, "Type") === undefined) return undefined;
  const next = own(object, "Next");
  return { Type: "Pass", ...(typeof next === "string" ? { Next: next } : {}), "x-unread": true };
}

/** Nothing is made of a composition with faults, but all of them are told that can be seen. */
function lower(document: Document, { report, options: chosen, stem }: LowerContext): Workflow | undefined {
  const composition = document.value as unknown as Composition;
  let isSound = true;
  const watch: Report = (diagnostic) => {
    isSound &&= diagnostic.severity !== "error";
    report(diagnostic);
  };
  const reading: Reading = { document, report: watch };
  const visits = findVisits(composition);
  const functions = checkComposition(composition, visits, reading, {
    allowsAny: own(chosen, "globals") === "any",
    isSound: () => isSound,
  });
  if (!isSound) return undefined;
  const missingAction = own(chosen, "missingAction") === "catch" ? "catch" : "reject";
  const lowered = lowerVisits({
    ...reading,
    composition,
    visits,
    unchecked: uncheckedVisits(visits),
    functions,
    catchesMissing: missingAction === "catch",
  });
  const span = document.start;
  const { functions: called, ...body } = lowered;
  return {
    kind: "workflow",
    id: stem,
    name: stem,
    version: "1.0",
    language: "composer-fsm",
    start: { span },
    input: params,
    body: { ...body, span },
    functions: called,
    events: [],
    native: { format: "openwhisk-composition", value: { definition: document.value as JsonObject, missingAction } },
    unnamedErrors: true,
    span,
  };
}

/** Looks at states, stacks and functions, each as far as those before it are sound; gives the functions of states. */
function checkComposition(
  composition: Composition,
  visits: Visits,
  reading: Reading,
  { allowsAny, isSound }: { readonly allowsAny: boolean; readonly isSound: () => boolean },
): ReadonlyMap<State, FunctionBody> {
  checkStates(composition, visits, reading);
  const isWhole = isSound() && !Object.values(composition.States).some((state) => Object.hasOwn(state, "x-unread"));
  if (isWhole) checkStacks(composition, visits, reading);
  if (isWhole && isSound()) checkReached(composition, visits, reading);
  return readFunctions(visits, reading, allowsAny, isWhole && isSound());
}

/** The functions of states, by these; their names are only looked at where it is known what is on the stack. */
function readFunctions(
  { all, byState }: Visits,
  reading: Reading,
  allowsAny: boolean,
  hasStacks: boolean,
): ReadonlyMap<State, FunctionBody> {
  const found = new Map<State, FunctionBody>();
  for (const visits of byState.values()) {
    const [{ state }] = visits as [Visit];
    const body = hasFunction(state) ? readFunction(state, reading, allowsAny) : undefined;
    if (!body) continue;
    found.set(state, body);
    if (hasStacks) checkNames(body, visits, reading, allowsAny);
  }
  if (hasStacks) checkSymbols(all, reading);
  return found;
}
