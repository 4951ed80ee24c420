// workflow 0.1, from function-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  memberOf,
  plus,
  required,
  typeOf,
} from "./runtime.js";
import { watchEvent3 } from "./workflow.expressions.ts";

/** The functions that the workflow calls. */
export interface Functions {
  intruder(argument: Json, step: Step): Answer<Json>;
  call(argument: Json, step: Step): Answer<Json>;
  resident(argument: Json, step: Step): Answer<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "66a63fcb01f54631",
  name: "workflow",
  anyInput: true,
  start: {
    on: [
      { all: [["motion"]], none: ["door"] },
      { all: [["alarm"]], none: ["door"] },
      { all: [["door"], ["motion"]] },
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
        { all: [["motion"]], none: ["door"] },
        { all: [["alarm"]], none: ["door"] },
        { all: [["door"], ["motion"]] },
      ],
    },
  },
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    let merged!: Json;
    let data2!: Json;
    // Watch (event state)
    const watchReceived = await flow.receive("Watch");
    if (watchReceived.alternative === 0) {
      {
        const taken = required(watchReceived.events[0]?.event.data, {
          name: "SYS.FilterError",
          message: "`$.data` selects nothing.",
        });
        merged =
          typeOf(data) === "object" && typeOf(taken) === "object" ? plus(data, taken) : taken;
      }
      data2 = (await flow.step("Watch/intruder", (step) => fn.intruder(merged, step))) as Json;
    } else if (watchReceived.alternative === 1) {
      merged =
        typeOf(data) === "object"
          ? plus(data, watchReceived.events[0]!.event)
          : watchReceived.events[0]!.event;
      data2 = (await flow.step("Watch/call", (step) => fn.call(merged, step))) as Json;
    } else {
      merged = watchEvent3(data, watchReceived);
      data2 = (await flow.step("Watch/resident", (step) => fn.resident(merged, step))) as Json;
    }
    // Done (end state)
    return data2;
  },
});
