// workflow 0.1, from function-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  plus,
  required,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  left(argument: Json, step: Step): Answer<Json>;
  right(argument: Json, step: Step): Answer<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "d43b656df7abcc9a",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  events: { Paid: { type: "paid", source: "/payments" } },
  waits: { Wait: { alternatives: [{ all: [["Paid"]] }] } },
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Both (parallel state)
    const bothResults = await flow.fork("Both", {
      left: (flow) => bothLeft(flow, fn, data),
      right: (flow) => bothRight(flow, fn, data),
    });
    data = [bothResults.left, bothResults.right];
    // Wait (event state)
    const waitReceived = await flow.receive("Wait");
    {
      const taken = required(waitReceived.events[0]?.event.data, {
        name: "SYS.FilterError",
        message: "`$.data` selects nothing.",
      });
      data = typeOf(data) === "object" && typeOf(taken) === "object" ? plus(data, taken) : taken;
    }
    // Done (end state)
    return data;
  },
});

/** Both / left */
async function bothLeft(flow: Flow, fn: Functions, data: Json): Promise<Json> {
  // Left (operation state)
  data = (await flow.step("Left", (step) => fn.left(data, step))) as Json;
  return data;
}

/** Both / right */
async function bothRight(flow: Flow, fn: Functions, data: Json): Promise<Json> {
  // Right (operation state)
  data = (await flow.step("Right", (step) => fn.right(data, step))) as Json;
  return data;
}
