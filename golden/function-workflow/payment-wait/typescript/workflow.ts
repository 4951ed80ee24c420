// workflow 0.1, from function-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  memberOf,
  plus,
  required,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  requestPayment(argument: { readonly id: Json; readonly amount: Json }, step: Step): Answer<Json>;
  shipOrder(argument: { readonly id: Json; readonly paid: Json }, step: Step): Answer<Json>;
  cancelOrder(argument: { readonly id: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly id?: Json;
  readonly amount?: Json;
  readonly type?: Json;
  readonly order?: Json;
  readonly data?: { readonly amount?: Json; readonly [member: string]: Json | undefined };
  readonly [member: string]: Json | undefined;
};

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "5da4a757b797c6d6",
  name: "workflow",
  anyInput: true,
  start: { on: [{ all: [["Ordered"]] }] },
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  events: {
    Ordered: {
      type: "shop.order",
      source: "/shop",
      correlation: (event) => memberOf(event.data, "order"),
    },
    Paid: {
      type: "shop.payment",
      source: "/shop",
      correlation: (event) => memberOf(event.data, "order"),
    },
  },
  waits: {
    Order: { alternatives: [{ all: [["Ordered"]] }] },
    Wait: { alternatives: [{ all: [["Paid"]], within: 3600 }] },
  },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Order (event state)
    const orderReceived = await flow.receive("Order");
    {
      const taken = required(orderReceived.events[0]?.event.data, {
        name: "SYS.FilterError",
        message: "`$.data` selects nothing.",
      });
      data = (
        typeOf(data) === "object" && typeOf(taken) === "object" ? plus(data, taken) : taken
      ) as Data;
    }
    // Request (parallel state)
    const requestResults = await flow.fork("Request", {
      order: () => requestOrder(data),
      request: (flow) => requestRequest(flow, fn, data),
    });
    data = requestResults.order as Data;
    // Pay (parallel state)
    const payResults = await flow.fork("Pay", { payment: (flow) => payPayment(flow, data) });
    data = payResults.payment as Data;
    // InTime (switch state)
    if ((data?.type ?? null) === "shop.payment") {
      // Ship (operation state)
      data = (await flow.step("Ship", (step) =>
        fn.shipOrder({ id: data.order ?? null, paid: data.data?.amount ?? null }, step),
      )) as Json as Data;
    } else {
      // Cancel (operation state)
      data = (await flow.step("Cancel", (step) =>
        fn.cancelOrder({ id: data?.id ?? null }, step),
      )) as Json as Data;
    }
    // Done (end state)
    return data;
  },
});

/** Request / order */
async function requestOrder(data: Data): Promise<Json> {
  // Order (operation state)
  return data;
}

/** Request / request */
async function requestRequest(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // Request (operation state)
  data = (await flow.step("Request", (step) =>
    fn.requestPayment({ id: data?.id ?? null, amount: data?.amount ?? null }, step),
  )) as Json as Data;
  return data;
}

/** Pay / payment */
async function payPayment(flow: Flow, data: Data): Promise<Json> {
  // Wait (event state)
  const waitReceived = await flow.receive("Wait");
  if (waitReceived.alternative === null) {
    // Late (end state)
    return data;
  }
  data = (
    typeOf(data) === "object"
      ? plus(data, waitReceived.events[0]!.event)
      : waitReceived.events[0]!.event
  ) as Data;
  return data;
}
