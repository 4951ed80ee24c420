// desk 1.0, from sm4c. Change the definition, not this file.
import { payment } from "./payment.ts";
import {
  type Flow,
  type Json,
  defineWorkflow,
  errorOf,
  failure,
  plus,
  withMember,
} from "./runtime.js";

/** desk */
export const desk = defineWorkflow({
  id: "desk",
  version: "c815409049d9f795",
  name: "desk",
  run: async (flow: Flow, _fn: object, data: Json): Promise<Json> => {
    let result!: Json;
    let output!: Json;
    // desk (state machine)
    try {
      output = (await flow.attempt(
        "machine",
        async (flow) => {
          payMerge: {
            // Pay (state)
            try {
              result = await flow.invoke("Pay", payment, data);
            } catch (caught) {
              const error = failure(caught);
              if (error.name === "Other") {
                data = withMember(data, "problem", error.message);
                result = null;
                break payMerge;
              }
              if (error.origin !== "timeout") throw caught;
              throw errorOf(plus(error, { origin: "function" }));
            }
          }
          data = withMember(data, "paid", result);
          return data;
        },
        { timeout: 3600 },
      )) as Json;
    } catch (caught) {
      const error = failure(caught);
      if (error.origin !== "timeout") throw caught;
      return null;
    }
    return output;
  },
});
