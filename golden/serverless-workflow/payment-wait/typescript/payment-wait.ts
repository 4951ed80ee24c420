// Ships when it is paid 1.0, from serverless-workflow. Change the definition, not this file.
import { waitEvent } from "./payment-wait.expressions.ts";
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignMember,
  attributeOf,
  defineWorkflow,
  firstScalar,
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
  readonly order?: Json;
  readonly answer?: Json;
  readonly payment?: {
    readonly data?: { readonly amount?: Json; readonly [member: string]: Json | undefined };
    readonly [member: string]: Json | undefined;
  };
  readonly [member: string]: Json | undefined;
};

/** Ships when it is paid */
export const paymentWait = defineWorkflow({
  id: "payment-wait",
  version: "f8710aba95e5cfca",
  name: "Ships when it is paid",
  events: {
    Paid: {
      type: "shop.payment",
      source: "/shop",
      correlation: (event) => attributeOf(event, "order"),
      correlationKey: "order",
      correlationAttribute: "order",
    },
  },
  waits: { Wait: { alternatives: [{ all: [["Paid"]], within: 3600 }] } },
  correlation: (data: Data, run) => firstScalar(data.order, run.id),
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Request (operation state)
    const request = await flow.step("Request", (step) =>
      fn.requestPayment({ id: data.id ?? null, amount: data.amount ?? null }, step),
    );
    data = assignMember(data, "request", request);
    // Wait (switch state)
    const waitReceived = await flow.receive("Wait", { correlation: { order: data.order } });
    if (waitReceived.alternative === 0) {
      data = waitEvent(data, waitReceived) as Data;
      // Ship (operation state)
      const ship = await flow.step("Ship", (step) =>
        fn.shipOrder({ id: data.id ?? null, paid: data.payment?.data?.amount ?? null }, step),
      );
      data = assignMember(data, "answer", ship);
      // Shipped (inject state)
      data = (data.answer === undefined ? data : data.answer) as Data;
      data = assign(data, { status: "shipped" });
      return data;
    }
    // Cancel (operation state)
    const cancel = await flow.step("Cancel", (step) =>
      fn.cancelOrder({ id: data.id ?? null }, step),
    );
    data = assignMember(data, "answer", cancel);
    // Cancelled (inject state)
    data = (data.answer === undefined ? data : data.answer) as Data;
    data = assign(data, { status: "cancelled" });
    return data;
  },
});
