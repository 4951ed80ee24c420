// Order 1.0, from serverless-workflow. Change the definition, not this file.
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
import { shop } from "./shop.ts";

/** The functions that the workflow calls. */
export interface Functions {
  tell(argument: Json, step: Step): Answer<Json>;
}

/** Order */
export const order = defineWorkflow({
  id: "order",
  version: "836a23f4c45a2789",
  name: "Order",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Shop (subflow state)
    try {
      await flow.attempt("Shop", async (flow) => {
        const shopResult = await flow.invoke("Shop/invoke", shop, data, { terminates: true });
        data = assign(data, shopResult);
      });
    } catch (caught) {
      const error = failure(caught);
      if (error.name !== "STEP_TIMEOUT") throw caught;
      data = place(data, ["error"], errorData(error));
      // Tell (operation state)
      const tell = await flow.step("Tell", (step) => fn.tell(data, step));
      data = assignResult(data, tell, "tell");
      return data;
    }
    return data;
  },
});
