import type { Explanations } from "./explanation.ts";

/** Beside it there is a definition, `workflow.yaml`, that calls the function `greet`. */
const file = "scenarios.yaml";
const good = `workflow: ./workflow.yaml
scenarios:
- name: somebody is greeted
  input: { name: Ann }
  functions:
    greet: { returns: { greeting: Hello }, takes: PT2S }
  expect:
    status: succeeded
    elapsed: PT2S
`;
/** What can be wrong with a scenario file. */
export const scenario: Explanations = {
  WB6001: {
    means: "A scenario file, or an object in it, has a key that has no meaning there.",
    why: "A misspelt key would leave something out that was meant to be tested, and the scenario would hold for the wrong reason.",
    example: { file, bad: good.replace("  input:", "  inputs:"), good },
  },
  WB6002: {
    means:
      "A scenario file names a `workflow` and has `scenarios`; each of them has a `name` and says what to `expect`.",
    why: "Without it there is nothing to run, or nothing that could fail.",
    example: { file, bad: good.replace("    status: succeeded\n", ""), good },
  },
  WB6003: {
    means: "The value is of another kind than can stand at this place, such as a text where a list has to be.",
    why: "A scenario is run only when all of it is understood.",
    example: { file, bad: good.replace("{ greeting: Hello }, takes: PT2S", "{ greeting: Hello }, takes: 2"), good },
  },
  WB6004: {
    means: "Only a few words can stand at this place, and this is none of them.",
    why: "A scenario is run only when all of it is understood.",
    example: { file, bad: good.replace("status: succeeded", "status: success"), good },
  },
  WB6005: {
    means:
      "Durations are written as in ISO 8601, such as `PT5M` for five minutes, and instants such as `2026-01-01T00:00:00Z`.",
    why: "Time in scenarios is virtual but exact, so that it has to be clear how long something takes.",
    example: { file, bad: good.replace("elapsed: PT2S", "elapsed: 2s"), good },
  },
  WB6007: {
    means:
      "There is no file at the path that the scenario file gives for the workflow or for one of its subflows, or it cannot be opened. The path is relative to the scenario file.",
    why: "Without its definition there is nothing to run.",
    example: { file, bad: good.replace("./workflow.yaml", "./workflw.yaml"), good },
  },
  WB6008: {
    means:
      "The scenario says what a function answers that no workflow of the program has. Functions go by the names that the definition uses for them, subflows that are elsewhere by their ids.",
    why: "The name may be misspelt, and a function that no scenario mentions answers null. It is a warning, as several scenarios may share their answers.",
    example: { file, bad: good.replace("    greet:", "    greeting: { returns: null }\n    greet:"), good },
  },
};
