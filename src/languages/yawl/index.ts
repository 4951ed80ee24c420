import { type Language, lazyLanguage } from "../../language.ts";
import { detect } from "./detect.ts";
import { optionDefinitions } from "./options.ts";
import { starter } from "./starter.ts";

/** YaWL, the language of Yandex Workflows. */
export const yawl: Language = lazyLanguage(
  {
    name: "yawl",
    version: "0.1 and 0.2",
    summary: "YaWL, the language of Yandex Workflows (YAML or JSON)",
    terminology: { step: "step" },
    errorFields: [],
    options: optionDefinitions,
    starter,
    sniff: /(?:^|[\s{,"'])yawl["']?\s*:/i,
    detect: detect,
  },
  async () => (await import("./front-end.ts")).frontEnd,
);
