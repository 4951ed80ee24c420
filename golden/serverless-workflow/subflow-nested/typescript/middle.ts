// Middle 1.0, from serverless-workflow. Change the definition, not this file.
import { inner } from "./inner.ts";
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignResult,
  defineWorkflow,
  errorData,
  failure,
  place,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  clean(argument: Json, step: Step): Answer<Json>;
}

/** Middle */
export const middle = defineWorkflow({
  id: "middle",
  version: "81aa977537697d06",
  name: "Middle",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    toClean: {
      // Inner (subflow state)
      try {
        await flow.attempt("Inner", async (flow) => {
          const innerResult = await flow.invoke("Inner/invoke", inner, data, { terminates: true });
          data = assign(data, innerResult);
        });
      } catch (caught) {
        const error = failure(caught);
        if (error.name === "None") throw caught;
        data = place(data, ["error"], errorData(error));
        break toClean;
      }
    }
    // Clean (operation state)
    const clean = await flow.step("Clean", (step) => fn.clean(data, step));
    data = assignResult(data, clean, "clean");
    return data;
  },
});
