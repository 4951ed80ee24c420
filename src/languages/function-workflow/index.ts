import { type Language, lazyLanguage } from "../../language.ts";
import { detect } from "./detect.ts";
import { isNearlyJson, readTolerantly } from "./reader/index.ts";
import { starter } from "./starter.ts";

const sniff = /(?:^|["'“„\s{,])(?:trigger-defs|next-state|action-mode|event-expression)["'”\s]*:/i;

/** CNCF Function Workflow 0.1 (2018). */
export const functionWorkflow: Language = lazyLanguage(
  {
    name: "function-workflow",
    aliases: ["fw"],
    version: "0.1",
    summary: "CNCF Function Workflow 0.1 (JSON or YAML)",
    terminology: { step: "state", events: "trigger-defs" },
    errorFields: [],
    options: [],
    starter,
    sniff,
    read: (source, plain, isExplicit) =>
      (isExplicit || sniff.test(source.text)) && isNearlyJson(source, plain) ? readTolerantly(source) : undefined,
    detect,
  },
  async () => (await import("./front-end.ts")).frontEnd,
);
