// An answer at the instant of the time-out 1, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
  failure,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  look(argument: Json, step: Step): Answer<Json>;
}

/** An answer at the instant of the time-out */
export const zero = defineWorkflow({
  id: "zero",
  version: "089315f7ebef0fa7",
  name: "An answer at the instant of the time-out",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    let result!: Json;
    lookEnd: {
      // Look (operation state)
      try {
        result = (await flow.step("Look", (step) => fn.look(data, step), { timeout: 0 })) as Json;
      } catch (caught) {
        const error = failure(caught);
        if (error.origin !== "timeout") throw caught;
        break lookEnd;
      }
      data = assignResult(data, result, "look");
    }
    return data;
  },
});
