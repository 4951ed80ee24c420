// Payment 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignEvent,
  assignResult,
  attributeOf,
  defineWorkflow,
  firstScalar,
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
  version: "632b1c926443f8c3",
  name: "Payment",
  events: {
    Paid: {
      type: "shop.paid",
      correlation: (event) => attributeOf(event, "orderId"),
      correlationKey: "orderId",
      correlationAttribute: "orderid",
    },
    Cancelled: { type: "shop.cancelled", source: "/shop" },
    Reminded: { type: "shop.reminded" },
  },
  waits: { Await: { alternatives: [{ all: [["Paid"]] }, { all: [["Cancelled"]] }] } },
  correlation: (data: Data, run) => firstScalar(data.orderId, run.id),
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Bill (operation state)
    const bill = await flow.step("Bill", (step) => fn.bill(data, step));
    data = assignResult(data, bill, "bill");
    // Await (switch state)
    const awaitReceived = await flow.receive("Await", { correlation: { orderId: data.orderId } });
    if (awaitReceived.alternative === 0) {
      data = assignEvent(data, awaitReceived.events[0]!.event, "Paid", "orderId");
      // Ship (inject state)
      data = assign(data, { shipped: true });
      await flow.emit("Ship/emit", "Reminded", {}, { attributes: { source: "/waybill/payment" } });
      return data;
    }
    if (awaitReceived.alternative === 1) {
      data = assignResult(data, awaitReceived.events[0]?.event.data ?? null, "Cancelled");
    }
    // Stop (inject state)
    data = assign(data, { shipped: false });
    return data;
  },
});
