// Shop 1.0, from serverless-workflow. Change the definition, not this file.
import { payment } from "./payment.ts";
import { type Flow, type Json, assign, defineWorkflow } from "./runtime.js";

/** Shop */
export const shop = defineWorkflow({
  id: "shop",
  version: "0a567d11e2b06611",
  name: "Shop",
  run: async (flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // Pay (subflow state)
    const payResult = await flow.invoke("Pay", payment, data, { terminates: true });
    data = assign(data, payResult);
    return data;
  },
});
