// payment-wait 1.0, from sm4c. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  equalValues,
  get,
  withMember,
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
  readonly paid?: Json;
  readonly [member: string]: Json | undefined;
};

/** payment-wait */
export const paymentWait = defineWorkflow({
  id: "payment-wait",
  version: "a6cede72448ef405",
  name: "payment-wait",
  events: { payment: { type: "shop.payment", foldCase: true } },
  waits: {
    "Request/wait": {
      alternatives: [
        {
          all: [
            [
              {
                event: "payment",
                when: (event, data) => equalValues(event.order ?? null, data.id ?? null),
              },
            ],
          ],
          within: 3600,
        },
      ],
      unused: "drop",
    },
  },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Request (state)
    await flow.step("Request", (step) =>
      fn.requestPayment({ id: data.id ?? null, amount: data.amount ?? null }, step),
    );
    const requestReceived = await flow.receive("Request/wait", { variables: { id: data.id } });
    if (requestReceived.alternative === 0) {
      {
        const value2 = get(requestReceived.groups[0]?.event.data ?? null, "amount");
        data = withMember(data, "paid", value2);
      }
      // Ship (state)
      await flow.step("Ship", (step) =>
        fn.shipOrder({ id: data.id ?? null, paid: data.paid ?? null }, step),
      );
      data = { id: data.id ?? null, status: "shipped" } as Data;
      return data;
    }
    // Cancel (state)
    await flow.step("Cancel", (step) => fn.cancelOrder({ id: data.id ?? null }, step));
    data = { id: data.id ?? null, status: "cancelled" } as Data;
    return data;
  },
});
