// An action that times out unhandled 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignResult,
  defineWorkflow,
  failure,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  slow(argument: Json, step: Step): Answer<Json>;
  next(argument: Json, step: Step): Answer<Json>;
}

/** An action that times out unhandled */
export const patient = defineWorkflow({
  id: "patient",
  version: "7d01fa5a6295c4f4",
  name: "An action that times out unhandled",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    let result!: Json;
    done: {
      // Slow (operation state)
      try {
        result = (await flow.step("Slow", (step) => fn.slow(data, step), { timeout: 10 })) as Json;
      } catch (caught) {
        const error = failure(caught);
        if (error.origin !== "timeout") throw caught;
        break done;
      }
      data = assignResult(data, result, "slow");
      const next = await flow.step("Slow/next", (step) => fn.next(data, step));
      data = assignResult(data, next, "next");
    }
    // Done (inject state)
    data = assign(data, { done: true });
    return data;
  },
});
