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
import { watchEvent2 } from "./workflow.expressions.ts";

/** The functions that the workflow calls. */
export interface Functions {
  begin(argument: Json, step: Step): Answer<Json>;
  door(argument: Json, step: Step): Answer<Json>;
  alarm(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly watch?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "5f6063e61ed199d5",
  name: "workflow",
  anyInput: true,
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
    "Watch/wait": {
      alternatives: [
        { all: [["door"]], within: 60 },
        { all: [["motion"], ["alarm"]], within: 120 },
      ],
    },
  },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    let merged!: Json;
    // Begin (operation state)
    data = (await flow.step("Begin", (step) => fn.begin(data, step))) as Json as Data;
    // Watch (event state)
    data = required(data?.watch, {
      name: "SYS.FilterError",
      message: "`$.watch` selects nothing.",
    }) as Data;
    const watchReceived = await flow.receive("Watch/wait");
    if (watchReceived.alternative !== null) {
      if (watchReceived.alternative === 0) {
        merged =
          typeOf(data) === "object"
            ? plus(data, watchReceived.events[0]!.event)
            : watchReceived.events[0]!.event;
        data = (await flow.step("Watch/door", (step) => fn.door(merged, step))) as Json as Data;
      } else {
        merged = watchEvent2(data, watchReceived);
        data = (await flow.step("Watch/alarm", (step) => fn.alarm(merged, step))) as Json as Data;
      }
    }
    // Done (end state)
    return data;
  },
});
