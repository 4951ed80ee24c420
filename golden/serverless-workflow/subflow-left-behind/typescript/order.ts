// Order 1.0, from serverless-workflow. Change the definition, not this file.
import { bill } from "./bill.ts";
import { type Flow, type Json, defineWorkflow } from "./runtime.js";

/** Order */
export const order = defineWorkflow({
  id: "order",
  version: "5ec1953501fce85b",
  name: "Order",
  run: async (flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // Bill (subflow state)
    await flow.launch("Bill", bill, data);
    return data;
  },
});
