import type { Choose, ErrorNames, ErrorValue } from "./workflow.ts";

// All targets raise these errors with the same names and messages.

/** A `Choose` without a matching case. */
export const noChoiceMatchedError = ({ origin }: Pick<Choose, "origin">): ErrorValue => ({
  origin: "noMatch",
  name: "NoChoiceMatched",
  message: `No condition of ${origin.noun} ${origin.name} holds, and it has no default.`,
});

/** A step exceeds its timeout. Not every platform knows which one. */
export const stepTimeoutError: ErrorValue = {
  origin: "timeout",
  name: "Timeout",
  message: "The time allowed has passed.",
};

/** A callback's heartbeat is missed: a timeout that only handlers can tell from others. */
export const missedHeartbeatError: ErrorValue = { ...stepTimeoutError, origin: "heartbeat" };

/** Replaces generic error names by those of the language. */
export function errorNameIn(
  { origin, name }: Pick<ErrorValue, "origin" | "name">,
  names: ErrorNames | undefined,
): string {
  if (!names) return name;
  if (origin === "timeout" || origin === "heartbeat") return name === stepTimeoutError.name ? names.timeout : name;
  return origin === "expression" && genericErrorNames.has(name) ? names.expression : name;
}

const genericErrorNames: ReadonlySet<string> = new Set(["ExpressionError", "DataError"]);
