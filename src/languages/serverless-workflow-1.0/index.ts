import { type Language, lazyLanguage } from "../../language.ts";
import { detect } from "./detect.ts";
import { optionDefinitions } from "./options.ts";
import { starter } from "./starter.ts";

/** CNCF Serverless Workflow 1.0, the Open Workflow Specification. */
export const serverlessWorkflow10: Language = lazyLanguage(
  {
    name: "serverless-workflow-1.0",
    aliases: ["swf", "swf1", "swf1.0"],
    version: "1.0.0 to 1.0.3",
    summary: "Serverless Workflow 1.0, the Open Workflow Specification (YAML or JSON)",
    terminology: { step: "task", mayWaitIndefinitely: true },
    options: optionDefinitions,
    starter,
    sniff: /(?:^|[\s{,"'])dsl["']?\s*:/i,
    detect,
  },
  async () => (await import("./front-end.ts")).frontEnd,
);
