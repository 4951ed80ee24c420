import type { OptionDefinition } from "../../options.ts";

/** Options for what the specification leaves open, or engines do otherwise. */
export const optionDefinitions: readonly OptionDefinition[] = [
  {
    name: "dialect",
    values: ["spec", "sonataflow"],
    fallback: "spec",
    summary:
      "Whether definitions mean what the specification says, or what SonataFlow does. Resources of kind SonataFlow are `sonataflow` by default.",
  },
  {
    name: "jitter",
    values: ["on", "off"],
    fallback: "on",
    summary: "Whether the jitter of retries applies. Amazon States Language has no jitter of this kind.",
  },
];
