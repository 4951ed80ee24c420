import { errorOf } from "../../../../src/expressions/interpreter/failure.ts";
import { toJson } from "../../../../src/expressions/library/json-text.ts";
import { isObject, type Json } from "../../../../src/json.ts";
import type { Outcome } from "../../../expressions/javascript/running.ts";

/** Zero without a sign, which is no part of a value. */
function unsigned(value: Json): Json {
  if (value === 0) return 0;
  if (Array.isArray(value)) return value.map(unsigned);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, unsigned(member)]));
}

/** How exactly failures are compared: that there is one; its name and message; all of its value. */
export type Exactness = "failing" | "message" | "value";

/** An outcome as text, in jq's way of writing: equal texts are equal outcomes. */
export function shownOutcome(outcome: Outcome, exactness: Exactness = "value"): string {
  if ("outputs" in outcome) return outcome.outputs.map((value) => toJson(unsigned(value))).join("\n");
  if (!("failed" in outcome))
    return "limit" in outcome ? `reaches a limit: ${outcome.limit}` : `is refused: ${outcome.refused}`;
  if (exactness === "failing") return "fails";
  const { name, message } = errorOf(outcome.failed);
  return exactness === "message"
    ? `fails with ${name}: ${message}`
    : `fails with ${withoutExcerpt(toJson(unsigned(outcome.failed)))}`;
}

/** What a program that catches nothing shows of the value in this one message is not always what jq shows: the helper is kept short. */
const withoutExcerpt = (text: string): string =>
  text.replace(/^("Cannot iterate over (?:string|number)) \(.*\)"$/s, '$1"');
