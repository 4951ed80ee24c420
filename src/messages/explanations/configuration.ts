import type { Explanations } from "./explanation.ts";

const file = "waybill.config.yaml";
const good = "options:\n  timeout: fail\n";

/** What can be wrong with `waybill.config.yaml`. */
export const configuration: Explanations = {
  WB0501: {
    means: "The configuration file has a top-level key that Waybill does not know.",
    why: "A misspelt key would leave its setting at the default without a word.",
    example: { file, bad: "optoins:\n  timeout: fail\n", good },
  },
  WB0502: {
    means: "The configuration file, or a part of it, is another kind of value than it has to be.",
    why: "Only what can be understood as a whole is used, so that no setting is lost.",
    example: { file, bad: "options: timeout=fail\n", good },
  },
  WB0503: {
    means:
      "The choices under `options` are those that the source languages leave to the user; none of them has this name. `waybill list` shows them.",
    why: "A misspelt option would leave the choice at its default, and with it the meaning of the workflow.",
    example: { file, bad: "options:\n  timeuot: fail\n", good },
  },
  WB0504: {
    means: "The option exists, but has no such value. `waybill list` shows the values.",
    why: "Taking the default instead would give the workflow another meaning than was asked for.",
    example: { file, bad: "options:\n  timeout: fial\n", good },
  },
};
