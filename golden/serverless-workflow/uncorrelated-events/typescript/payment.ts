// Payment 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  attributeOf,
  defineWorkflow,
  merge,
  mergeEvent,
  mergeResult,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  bill(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly orderId?: Json; readonly [member: string]: Json | undefined };

/** Payment */
export const payment = defineWorkflow({
  id: "payment",
  version: "1f189d06a4d2478d",
  name: "Payment",
  events: {
    Paid: {
      type: "shop.paid",
      correlation: (event) => attributeOf(event, "orderId"),
      correlationAttribute: "orderid",
    },
    Cancelled: { type: "shop.cancelled", source: "/shop" },
    Reminded: { type: "shop.reminded" },
  },
  correlation: (data: Data, run) => (data.orderId === undefined ? run.id : data.orderId),
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Bill (operation state)
    const bill = await flow.step("Bill", (step) => fn.bill(data, step));
    data = mergeResult(data, bill, "bill");
    // Await (switch state)
    const awaitReceived = await flow.receive("Await", {
      alternatives: [{ all: [["Paid"]] }, { all: [["Cancelled"]] }],
    });
    if (awaitReceived.alternative === 0) {
      data = mergeEvent(data, awaitReceived.events[0]!.event, "Paid", "orderId");
      // Ship (inject state)
      data = merge(data, { shipped: true });
      await flow.emit("Ship/emit", "Reminded", {}, { source: "/waybill/payment" });
      return data;
    }
    if (awaitReceived.alternative === 1) {
      data = mergeResult(data, awaitReceived.events[0]?.event.data ?? null, "Cancelled");
    }
    // Stop (inject state)
    data = merge(data, { shipped: false });
    return data;
  },
});
