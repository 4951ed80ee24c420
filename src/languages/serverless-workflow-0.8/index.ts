import { type Language, lazyLanguage } from "../../language.ts";
import { detect } from "./detect.ts";
import { optionDefinitions } from "./options.ts";
import { readResources } from "./resources.ts";
import { starter } from "./starter.ts";

/** CNCF Serverless Workflow 0.8, and the resources of SonataFlow. */
export const serverlessWorkflow08: Language = lazyLanguage(
  {
    name: "serverless-workflow-0.8",
    aliases: ["swf0.8"],
    summary: "CNCF Serverless Workflow 0.8, including SonataFlow (JSON or YAML)",
    terminology: { step: "state", functions: "functions", events: "events", mayWaitIndefinitely: true },
    errorFields: ["status"],
    inputs: "objects",
    options: optionDefinitions,
    starter,
    sniff: /(?:^|[\s{,"'])states["']?\s*:/i,
    read: (_, plain) => readResources(plain),
    detect,
  },
  async () => (await import("./front-end.ts")).frontEnd,
);
