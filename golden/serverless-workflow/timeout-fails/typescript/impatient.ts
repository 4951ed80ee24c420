// Time-outs are errors by choice 1.0, from serverless-workflow. Change the definition, not this file.
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
  slow(argument: Json, step: Step): Answer<Json>;
}

/** Time-outs are errors by choice */
export const impatient = defineWorkflow({
  id: "impatient",
  version: "8e7d359263f3d7f5",
  name: "Time-outs are errors by choice",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Slow (operation state)
    const slow = await flow.step("Slow", (step) => fn.slow(data, step), { timeout: 10 });
    data = assignResult(data, slow, "slow");
    return data;
  },
});
