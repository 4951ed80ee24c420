// workflow 0.1, from function-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  memberOf,
} from "./runtime.js";
import { watchEvent2 } from "./workflow.expressions.ts";

/** The functions that the workflow calls. */
export interface Functions {
  assess(argument: Json, step: Step): Answer<Json>;
  call(argument: Json, step: Step): Answer<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "e9385071d83190e2",
  name: "workflow",
  anyInput: true,
  start: {
    on: [
      { all: [["door"], ["motion"]] },
      { all: [["door"], ["alarm"]] },
      { all: [["alarm"], ["motion"]] },
    ],
  },
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  events: {
    door: { type: "seen", source: "/door", correlation: (event) => memberOf(event.data, "house") },
    motion: {
      type: "seen",
      source: "/motion",
      correlation: (event) => memberOf(event.data, "house"),
    },
    alarm: {
      type: "seen",
      source: "/alarm",
      correlation: (event) => memberOf(event.data, "house"),
    },
  },
  waits: {
    Watch: {
      alternatives: [
        { all: [["door"], ["motion"]] },
        { all: [["door"], ["alarm"]] },
        { all: [["alarm"], ["motion"]] },
      ],
    },
  },
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    let merged!: Json;
    let data2!: Json;
    // Watch (event state)
    const watchReceived = await flow.receive("Watch");
    if (watchReceived.alternative === 0 || watchReceived.alternative === 1) {
      merged = watchEvent2(data, watchReceived);
      data2 = (await flow.step("Watch/assess", (step) => fn.assess(merged, step))) as Json;
    } else {
      merged = watchEvent2(data, watchReceived);
      data2 = (await flow.step("Watch/call", (step) => fn.call(merged, step))) as Json;
    }
    // Done (end state)
    return data2;
  },
});
