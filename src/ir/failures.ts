import type { Choose, ErrorValue } from "./workflow.ts";

// Errors that the IR itself raises, worded once, so that every target fails with the same name and message.

/** A `Choose` of which no case holds, and that has no other way. */
export const noChoiceMatched = ({ origin }: Pick<Choose, "origin">): ErrorValue => ({
  origin: "noMatch",
  name: "NoChoiceMatched",
  message: `No condition of ${origin.noun} ${origin.name} holds, and it has no default.`,
});

/** A step took longer than its timeout allows. The text does not say which, since an error that leaves a branch does not either on every platform. */
export const timedOut: ErrorValue = { origin: "timeout", name: "Timeout", message: "The time allowed has passed." };
