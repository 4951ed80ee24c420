// Orders 1.0, from serverless-workflow. Change the definition, not this file.
import { booking } from "./booking.ts";
import {
  type Flow,
  type Json,
  defineWorkflow,
  errorData,
  failure,
  merge,
  mergeResult,
} from "./runtime.js";

/** Orders */
export const orders = defineWorkflow({
  id: "orders",
  version: "daea011e16c988fd",
  name: "Orders",
  run: async (flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // Book (subflow state)
    try {
      await flow.attempt("Book", async (flow) => {
        const bookResult = await flow.invoke("Book/invoke", booking, data, { terminates: true });
        data = mergeResult(data, bookResult, "booking");
      });
    } catch (caught) {
      const error = failure(caught);
      if (error.name !== "ApplicationError") throw caught;
      data = merge(data, { error: errorData(error) });
      // Refused (inject state)
      data = merge(data, { refused: true });
      return data;
    }
    return data;
  },
});
