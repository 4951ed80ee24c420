import type { OptionDefinition } from "../../options.ts";
import { isTimeSyntaxError, parseInstant } from "../../text/iso8601.ts";

/** Options for what the draft leaves open. */
export const optionDefinitions: readonly OptionDefinition[] = [
  {
    name: "timeout",
    values: ["proceed", "fail"],
    fallback: "proceed",
    summary: "Whether a timeout that no handler names is ignored, as in the draft, or raises the error `Timeout`.",
  },
  {
    name: "merge",
    values: ["shallow", "deep"],
    fallback: "shallow",
    summary:
      "Whether results, events, errors and injected data replace members of the data, or are merged recursively into it.",
  },
  {
    name: "interpolate",
    values: ["true", "false"],
    fallback: "false",
    summary: "Whether paths inside longer strings, such as `Hello $.name`, are replaced by the values they select.",
  },
  {
    name: "deployed",
    text: {
      noun: "instant",
      wanted: "an instant, such as `2026-01-01T00:00:00Z`",
      accepts: (text) => !isTimeSyntaxError(parseInstant(text)),
    },
    summary:
      "The time of deployment, such as `2026-01-01T00:00:00Z`. A schedule that is only a duration starts at this time.",
  },
];
