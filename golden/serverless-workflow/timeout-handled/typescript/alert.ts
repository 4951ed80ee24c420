// A time-out that is handled 1.0, from serverless-workflow. Change the definition, not this file.
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
}

/** A time-out that is handled */
export const alert = defineWorkflow({
  id: "alert",
  version: "ef40d21dd400d9c3",
  name: "A time-out that is handled",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Slow (operation state)
    try {
      const dataBefore = data;
      await flow.attempt(
        "Slow",
        async (flow) => {
          data = dataBefore;
          const slow = await flow.step("Slow/slow", (step) => fn.slow(data, step), { timeout: 10 });
          data = assignResult(data, slow, "slow");
        },
        { retries: [{ when: (error) => error.name === "Timeout", limit: 1, base: 1 }] },
      );
    } catch (caught) {
      const error = failure(caught);
      if (error.name !== "Timeout") throw caught;
      data = assign(data, { name: error.name });
      // Late (inject state)
      data = assign(data, { late: true });
      return data;
    }
    return data;
  },
});
