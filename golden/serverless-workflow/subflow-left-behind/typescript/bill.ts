// Bill 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  charge(argument: Json, step: Step): Answer<Json>;
}

/** Bill */
export const bill = defineWorkflow({
  id: "bill",
  version: "ae84234b96056ff3",
  name: "Bill",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Charge (operation state)
    const charge = await flow.step("Charge", (step) => fn.charge(data, step));
    data = assignResult(data, charge, "charge");
    return data;
  },
});
