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
  pack(argument: Json, step: Step): Answer<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "298f06302c86c9c7",
  name: "workflow",
  anyInput: true,
  start: { on: [{ all: [["Ordered"]] }] },
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  events: {
    Ordered: {
      type: "ordered",
      source: "/shop",
      correlation: (event) => memberOf(memberOf(event.data, "order"), "id"),
    },
    Paid: { type: "paid", source: "/payments", correlation: (event) => event.subject },
    Tick: { type: "tick", source: "/clock" },
  },
  waits: {
    Order: { alternatives: [{ all: [["Ordered"]] }] },
    Pay: { alternatives: [{ all: [["Paid"]] }] },
    Tick: { alternatives: [{ all: [["Tick"]] }] },
  },
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Order (event state)
    const orderReceived = await flow.receive("Order");
    const taken = required(memberOf(orderReceived.events[0]?.event.data, "order"), {
      name: "SYS.FilterError",
      message: "`$.data.order` selects nothing.",
    });
    const merged =
      typeOf(data) === "object" && typeOf(taken) === "object" ? plus(data, taken) : taken;
    data = (await flow.step("Order/pack", (step) => fn.pack(merged, step))) as Json;
    // Pay (event state)
    const payReceived = await flow.receive("Pay");
    {
      const taken2 = required(payReceived.events[0]?.event.data, {
        name: "SYS.FilterError",
        message: "`$.data` selects nothing.",
      });
      data = typeOf(data) === "object" && typeOf(taken2) === "object" ? plus(data, taken2) : taken2;
    }
    // Tick (event state)
    const tickReceived = await flow.receive("Tick");
    {
      const taken3 = required(tickReceived.events[0]?.event.time, {
        name: "SYS.FilterError",
        message: "`$.time` selects nothing.",
      });
      data = typeOf(data) === "object" && typeOf(taken3) === "object" ? plus(data, taken3) : taken3;
    }
    // Done (end state)
    return data;
  },
});
