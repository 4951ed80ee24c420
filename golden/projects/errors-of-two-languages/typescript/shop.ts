// Shop 1.0, from serverless-workflow. Change the definition, not this file.
import { payment } from "./payment.ts";
import { type Flow, type Json, defineWorkflow, mergeResult } from "./runtime.js";

/** Shop */
export const shop = defineWorkflow({
  id: "shop",
  version: "938c3879478eff86",
  name: "Shop",
  run: async (flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // Pay (subflow state)
    const payResult = await flow.invoke("Pay", payment, data, { terminates: true });
    data = mergeResult(data, payResult, "payment");
    return data;
  },
});
