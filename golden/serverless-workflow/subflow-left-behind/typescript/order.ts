// Order, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow } from "./runtime/index.ts";
import { bill } from "./bill.ts";

/** What the workflow calls. */
export interface Functions {
}

/** Order */
export const order = defineWorkflow({
  id: "order",
  version: "92a5c3a7f497f997",
  name: "Order",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Bill (subflow state)
    await flow.launch("Bill", bill, data);
    return data;
  },
});
