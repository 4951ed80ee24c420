import type { Choose, ErrorNames, ErrorValue } from "./workflow.ts";

// Errors that the IR itself raises, worded once, so that every target fails with the same name and message.

/** A `Choose` of which no case holds, and that has no other way. */
export const noChoiceMatchedError = ({ origin }: Pick<Choose, "origin">): ErrorValue => ({
  origin: "noMatch",
  name: "NoChoiceMatched",
  message: `No condition of ${origin.noun} ${origin.name} holds, and it has no default.`,
});

/** A step took longer than its timeout allows. The text does not say which, since an error that leaves a branch does not either on every platform. */
export const stepTimeoutError: ErrorValue = {
  origin: "timeout",
  name: "Timeout",
  message: "The time allowed has passed.",
};

/** The name that an error has in a workflow: its own, unless nothing has named it and the language has a name for that. */
export function nameOfError(
  { origin, name }: Pick<ErrorValue, "origin" | "name">,
  names: ErrorNames | undefined,
): string {
  if (!names) return name;
  if (origin === "timeout") return name === stepTimeoutError.name ? names.timeout : name;
  return origin === "expression" && genericErrorNames.has(name) ? names.expression : name;
}

const genericErrorNames: ReadonlySet<string> = new Set(["ExpressionError", "DataError"]);
