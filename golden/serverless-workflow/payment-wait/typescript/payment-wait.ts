// Ships when it is paid 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  attributeOf,
  defineWorkflow,
  firstScalar,
  memberOf,
  place,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  requestPayment(
    argument: { readonly id: Json; readonly amount: Json },
    step: Step,
  ): Answer<{ readonly request?: Json; readonly [member: string]: Json | undefined }>;
  shipOrder(
    argument: { readonly id: Json; readonly paid: Json },
    step: Step,
  ): Answer<{ readonly answer?: Json; readonly [member: string]: Json | undefined }>;
  cancelOrder(
    argument: { readonly id: Json },
    step: Step,
  ): Answer<{ readonly answer?: Json; readonly [member: string]: Json | undefined }>;
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
  version: "aa8ed9ec8c066b53",
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
    data =
      request?.request !== undefined
        ? assign(data, { request: request.request })
        : place(data, ["request"], request);
    // Wait (switch state)
    const waitReceived = await flow.receive("Wait", { correlation: { order: data.order } });
    if (waitReceived.alternative === 0) {
      data =
        waitReceived.events[0]?.event.payment !== undefined
          ? assign(data, { payment: waitReceived.events[0].event.payment })
          : memberOf(waitReceived.events[0]?.event.data, "payment") !== undefined
            ? assign(data, { payment: memberOf(waitReceived.events[0]?.event.data, "payment")! })
            : place(data, ["payment"], waitReceived.events[0]!.event);
      // Ship (operation state)
      const ship = await flow.step("Ship", (step) =>
        fn.shipOrder({ id: data.id ?? null, paid: data.payment?.data?.amount ?? null }, step),
      );
      data =
        ship?.answer !== undefined
          ? assign(data, { answer: ship.answer })
          : place(data, ["answer"], ship);
      // Shipped (inject state)
      data = (data.answer === undefined ? data : data.answer) as Data;
      data = assign(data, { status: "shipped" });
      return data;
    }
    // Cancel (operation state)
    const cancel = await flow.step("Cancel", (step) =>
      fn.cancelOrder({ id: data.id ?? null }, step),
    );
    data =
      cancel?.answer !== undefined
        ? assign(data, { answer: cancel.answer })
        : place(data, ["answer"], cancel);
    // Cancelled (inject state)
    data = (data.answer === undefined ? data : data.answer) as Data;
    data = assign(data, { status: "cancelled" });
    return data;
  },
});
