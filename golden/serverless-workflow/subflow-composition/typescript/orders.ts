// Orders 1.0, from serverless-workflow. Change the definition, not this file.
import { booking } from "./booking.ts";
import {
  type Flow,
  type Json,
  assign,
  defineWorkflow,
  errorData,
  failure,
  place,
} from "./runtime.js";

/** Orders */
export const orders = defineWorkflow({
  id: "orders",
  version: "6662238e6ef54e88",
  name: "Orders",
  run: async (flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // Book (subflow state)
    try {
      await flow.attempt("Book", async (flow) => {
        const bookResult = await flow.invoke("Book/invoke", booking, data, { terminates: true });
        data = assign(data, bookResult);
      });
    } catch (caught) {
      const error = failure(caught);
      if (error.name !== "ApplicationError") throw caught;
      data = place(data, ["error"], errorData(error));
      // Refused (inject state)
      data = assign(data, { refused: true });
      return data;
    }
    return data;
  },
});
