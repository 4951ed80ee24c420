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

/** The functions that the workflow calls. */
export interface Functions {
  ask(argument: Json, step: Step): Answer<Json>;
  log(argument: Json, step: Step): Answer<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "a53fd80a2834cb6f",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  events: {
    PAID: {
      type: "PAID",
      source: "/payments",
      correlation: (event) => memberOf(event.data, "order"),
    },
  },
  waits: { WAIT: { alternatives: [{ all: [["PAID"]] }] } },
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // ASK (operation state)
    const ask = await flow.step("ASK", (step) => fn.ask(data, step), { timeout: 10 });
    data = (await flow.step("ASK/log", (step) => fn.log(ask, step))) as Json;
    // WAIT (event state)
    const waitReceived = await flow.receive("WAIT");
    {
      const taken = required(waitReceived.events[0]?.event.data, {
        name: "SYS.FilterError",
        message: "`$.data` selects nothing.",
      });
      data = typeOf(data) === "object" && typeOf(taken) === "object" ? plus(data, taken) : taken;
    }
    // STATE-END (end state)
    return data;
  },
});
