import { errorOf } from "../../../../src/expressions/core/failure.ts";
import { toJson } from "../../../../src/expressions/library/json-text.ts";
import { isObject, type Json } from "../../../../src/json.ts";
import type { Outcome } from "../../../expressions/js/running.ts";

/** Negative zero equals zero. */
function unsigned(value: Json): Json {
  if (value === 0) return 0;
  if (Array.isArray(value)) return value.map(unsigned);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, unsigned(member)]));
}

/** How failures are compared: that both fail, by name and message, or by value. */
export type Exactness = "failing" | "message" | "value";

/** Prints an outcome as jq would, but negative zeros in strings as zeros. Equal strings are equal outcomes. */
export const printOutcome = (outcome: Outcome, exactness: Exactness = "value"): string =>
  printSigned(outcome, exactness).replaceAll(/-0(?![\d.e])/g, "0");

function printSigned(outcome: Outcome, exactness: Exactness): string {
  if ("outputs" in outcome) return outcome.outputs.map((value) => toJson(unsigned(value))).join("\n");
  if (!("failed" in outcome))
    return "limit" in outcome ? `reaches a limit: ${outcome.limit}` : `is refused: ${outcome.refused}`;
  if (exactness === "failing") return "fails";
  const { name, message } = errorOf(outcome.failed);
  return exactness === "message"
    ? `fails with ${name}: ${message}`
    : `fails with ${withoutExcerpt(toJson(unsigned(outcome.failed)))}`;
}

/** Uncaught messages of this kind may quote the value unlike jq, to keep the helper short. */
const withoutExcerpt = (text: string): string =>
  text.replace(/^("Cannot iterate over (?:string|number)) \(.*\)"$/s, '$1"');
