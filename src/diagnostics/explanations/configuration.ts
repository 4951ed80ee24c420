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
  WB0505: {
    means: "A binding under `typescript` names two of `module`, `http`, `openapi` and `grpc`.",
    why: "A function is called at one place; choosing one of two would be a guess.",
    example: {
      file,
      bad: "functions:\n  greet:\n    typescript:\n      module: ./functions/greet.ts#greet\n      http: POST https://greet.example.com/\n",
      good: "functions:\n  greet:\n    typescript:\n      module: ./functions/greet.ts#greet\n",
    },
  },
  WB0506: {
    means: "A header that usually holds a secret, such as `authorization`, has its value in the configuration.",
    why: "It would be copied into the emitted program, and with that into the history of the repository.",
    example: {
      file,
      bad: "functions:\n  greet:\n    typescript:\n      http: POST https://greet.example.com/\n      headers: { authorization: Bearer abc }\n",
      good: "functions:\n  greet:\n    typescript:\n      http: POST https://greet.example.com/\n      headers: { authorization: { env: GREET_TOKEN, prefix: 'Bearer ' } }\n",
    },
  },
  WB0507: {
    means:
      "A function is called by `http:` at another machine, with a header that comes from the environment, which is where secrets come from.",
    why: "Whoever is on the way could read it.",
    example: {
      file,
      bad: "functions:\n  greet:\n    typescript:\n      http: POST http://greet.example.com/\n      headers: { authorization: { env: GREET_TOKEN } }\n",
      good: "functions:\n  greet:\n    typescript:\n      http: POST https://greet.example.com/\n      headers: { authorization: { env: GREET_TOKEN } }\n",
    },
  },
  WB0508: {
    means:
      "The configuration says where a function is, or where an event goes, that none of the definitions has that are compiled together.",
    why: "Where the name is misspelt, the function that was meant is bound to nothing. Where the configuration is shared with other definitions, all is well.",
    example: {
      file,
      bad: "functions:\n  greeet:\n    typescript: { module: ./functions/greet.ts#greet }\n",
      good: "functions:\n  greet:\n    typescript: { module: ./functions/greet.ts#greet }\n",
    },
  },
};
