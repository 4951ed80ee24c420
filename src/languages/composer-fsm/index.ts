import { type Language, lazyLanguage } from "../../language.ts";
import type { OptionDefinition } from "../../options.ts";
import { detect } from "./detect.ts";
import { starter } from "./starter.ts";

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
    summary:
      "Which names functions may use in addition to variables: the globals that all targets have, or any, unchecked.",
  },
];

/** OpenWhisk Composer's JSON format, versions 0.1. */
export const composerFsm: Language = lazyLanguage(
  {
    name: "composer-fsm",
    aliases: ["composer"],
    version: "that of Composer 0.1",
    summary: "OpenWhisk Composer's JSON format { Entry, Exit, States }",
    terminology: { step: "state" },
    errorFields: [],
    defaultResult: {},
    inputs: "objects",
    options,
    starter,
    sniff: /(?:^|[\s{,"'])States["']?\s*:/,
    detect,
  },
  async () => (await import("./front-end.ts")).frontEnd,
);
