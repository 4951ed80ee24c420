import { type Language, lazyLanguage } from "../../language.ts";
import { detect } from "./detect.ts";
import { optionDefinitions } from "./options.ts";
import { starter } from "./starter.ts";

/** SM4C, State Machines For Cloud. */
export const sm4c: Language = lazyLanguage(
  {
    name: "sm4c",
    summary: "SM4C, State Machines For Cloud (JSON or YAML)",
    terminology: { step: "state", functions: "functions", events: "events", mayWaitIndefinitely: true },
    errorFields: ["Data"],
    inputs: "objects",
    options: optionDefinitions,
    starter,
    sniff: /(?:^|[\s{,"'])states["']?\s*:/i,
    detect: detect,
  },
  async () => (await import("./front-end.ts")).frontEnd,
);
