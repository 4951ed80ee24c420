import { type Language, lazyLanguage } from "../../language.ts";
import { detect, embedded, embeds, read } from "./files/index.ts";
import { starter } from "./starter.ts";

/** The Amazon States Language of AWS Step Functions. */
export const asl: Language = lazyLanguage(
  {
    name: "asl",
    version: "1.0",
    summary: "Amazon States Language, the language of AWS Step Functions (JSON or YAML)",
    terminology: { step: "state" },
    options: [],
    starter,
    sniff: /(?:^|[\s{,"'])StartAt["']?\s*:|AWS::(?:Serverless|StepFunctions)::StateMachine/,
    read,
    detect,
    embeds,
    embedded,
  },
  async () => (await import("./front-end.ts")).frontEnd,
);
