// workflow 0.1, from function-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  memberOf,
} from "./runtime.js";
import { waitOutput, waitOutput2 } from "./workflow.expressions.ts";

/** The functions that the workflow calls. */
export interface Functions {
  ask(argument: Json, step: Step): Answer<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "27492ae265ac752a",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  events: {
    Paid: { type: "paid", source: "/payments", correlation: (event) => event.order },
    Sent: {
      type: "sent",
      source: "/parcels",
      correlation: (event) => memberOf(event.data, "order"),
    },
    Note: { type: "note", source: "/notes", correlation: (event) => event.order },
  },
  waits: { Wait: { alternatives: [{ all: [["Paid"], ["Sent"]] }, { all: [["Note"]] }] } },
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Ask (operation state)
    data = (await flow.step("Ask", (step) => fn.ask(data, step))) as Json;
    // Wait (event state)
    const waitReceived = await flow.receive("Wait");
    if (waitReceived.alternative === 0) {
      data = waitOutput(data, waitReceived);
    } else {
      data = waitOutput2(data, waitReceived);
    }
    // Done (end state)
    return data;
  },
});
