import { type Language, lazyLanguage } from "../../language.ts";
import { detect } from "./detect.ts";
import { optionDefinitions } from "./options.ts";
import { starter } from "./starter.ts";

/** CNCF Serverless Workflow, draft of June 2020. */
export const serverlessWorkflow: Language = lazyLanguage(
  {
    name: "serverless-workflow",
    aliases: ["swf2020"],
    version: "the draft of June 2020",
    summary: "CNCF Serverless Workflow, draft of June 2020 (JSON or YAML)",
    terminology: { step: "state", functions: "functions", events: "events" },
    errorFields: ["trace"],
    inputs: "objects",
    options: optionDefinitions,
    starter,
    sniff: /(?:^|[\s{,"'])states["']?\s*:/i,
    detect: detect,
  },
  async () => (await import("./front-end.ts")).frontEnd,
);
