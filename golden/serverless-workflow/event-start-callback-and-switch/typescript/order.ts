// Order 1.0, from serverless-workflow. Change the definition, not this file.
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
  errorData,
  errorOf,
  failure,
  firstScalar,
  place,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  bill(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly order?: Json; readonly [member: string]: Json | undefined };

/** Order */
export const order = defineWorkflow({
  id: "order",
  version: "305e69f0996b50e6",
  name: "Order",
  start: { on: [{ all: [["Ordered"]] }] },
  events: {
    Ordered: {
      type: "shop.ordered",
      source: "/shop",
      correlation: (event) => attributeOf(event, "order"),
      correlationKey: "order",
      correlationAttribute: "order",
    },
    Paid: {
      type: "shop.paid",
      source: "/shop",
      correlation: (event) => attributeOf(event, "order"),
      correlationKey: "order",
      correlationAttribute: "order",
    },
    Cancelled: {
      type: "shop.cancelled",
      source: "/shop",
      correlation: (event) => attributeOf(event, "order"),
      correlationKey: "order",
      correlationAttribute: "order",
    },
  },
  waits: {
    Receive: { alternatives: [{ all: [["Ordered"]] }] },
    "Bill/wait": { alternatives: [{ all: [["Paid"]], within: 604_800 }] },
    Await: {
      alternatives: [
        { all: [["Paid"]], within: 2_592_000 },
        { all: [["Cancelled"]], within: 2_592_000 },
      ],
    },
  },
  correlation: (data: Data, run) => firstScalar(data.order, run.id),
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Receive (event state)
    const receiveReceived = await flow.receive("Receive", { correlation: { order: data.order } });
    data = assignEvent(data, receiveReceived.events[0]!.event, "Ordered", "order");
    // Bill (callback state)
    try {
      await flow.attempt("Bill", async (flow) => {
        const bill = await flow.step("Bill/bill", (step) => fn.bill(data, step));
        data = assignResult(data, bill, "bill");
        const billReceived = await flow.receive("Bill/wait", {
          correlation: { order: data.order },
        });
        if (billReceived.alternative === 0) {
          data = assignEvent(data, billReceived.events[0]!.event, "Paid", "order");
          return;
        }
        throw errorOf({ origin: "timeout", name: "Timeout", message: "" });
      });
    } catch (caught) {
      const error = failure(caught);
      if (error.name !== "Timeout") throw caught;
      data = place(data, ["error"], errorData(error));
      // Await (switch state)
      const awaitReceived = await flow.receive("Await", { correlation: { order: data.order } });
      if (awaitReceived.alternative === 0) {
        data = assignEvent(data, awaitReceived.events[0]!.event, "Paid", "order");
      } else if (awaitReceived.alternative === 1) {
        data = assignEvent(data, awaitReceived.events[0]!.event, "Cancelled", "order");
      }
      // Done (inject state)
      data = assign(data, { done: true });
      return data;
    }
    return data;
  },
});
