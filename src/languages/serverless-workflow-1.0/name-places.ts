import type { NamePlace, NamePlaces } from "../../language.ts";

const used = (kind: NamePlace["kind"], ...path: readonly string[]): NamePlace => ({
  path: ["**", ...path],
  at: "value",
  kind,
});
const definition = (kind: NamePlace["kind"], part: string): NamePlace => ({
  path: ["use", part, "*"],
  at: "key",
  kind,
  isDefinition: true,
});

/** Where definitions have names, except those of tasks. */
export const namePlaces: NamePlaces = {
  places: [
    definition("function", "functions"),
    definition("error", "errors"),
    definition("retry", "retries"),
    definition("timeout", "timeouts"),
    definition("authentication", "authentications"),
    { ...used("state", "then"), words: ["continue", "exit", "end"] },
    used("function", "call"),
    used("error", "raise", "error"),
    used("retry", "catch", "retry"),
    used("timeout", "timeout"),
    used("authentication", "authentication"),
    used("authentication", "authentication", "use"),
  ],
  dataKeys: ["set", "metadata", "body", "headers", "query", "arguments", "parameters", "payload", "data", "schema"],
};
