import type { OptionDefinition } from "../../options.ts";

/** Options for what the documentation contradicts. */
export const optionDefinitions: readonly OptionDefinition[] = [
  {
    name: "waitForCompletion",
    values: ["true", "false"],
    fallback: "true",
    summary:
      "Whether an action without `waitForCompletion` waits for its result: `true`, as in the engine and all published examples, or `false`, as documented.",
  },
];
