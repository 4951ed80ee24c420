// Wait for a payment 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  attributeOf,
  defineWorkflow,
  firstScalar,
  memberOf,
  place,
  withDefault,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  bill(argument: { readonly id: Json }, step: Step): Answer<Json>;
  ship(argument: { readonly id: Json; readonly paid: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly orderId?: Json;
  readonly amount?: Json;
  readonly [member: string]: Json | undefined;
};

/** Wait for a payment */
export const payment = defineWorkflow({
  id: "payment",
  version: "7194c24b6060b7a8",
  name: "Wait for a payment",
  events: {
    Paid: {
      type: "order.paid",
      source: "/payments",
      correlation: (event) => attributeOf(event, "orderId"),
      correlationKey: "orderId",
      correlationAttribute: "orderid",
    },
  },
  waits: { AwaitPayment: { alternatives: [{ all: [["Paid"]], within: 604_800 }] } },
  correlation: (data: Data, run) => firstScalar(data.orderId, run.id),
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Bill (operation state)
    const bill = await flow.step("Bill", (step) => fn.bill({ id: data.orderId ?? null }, step));
    data = assignResult(data, bill, "bill");
    // AwaitPayment (event state)
    const awaitPaymentReceived = await flow.receive("AwaitPayment", {
      correlation: { orderId: data.orderId },
    });
    if (awaitPaymentReceived.alternative !== null) {
      data = place(
        data,
        ["amount"],
        awaitPaymentReceived.events[0]?.event.amount === undefined
          ? withDefault(
              memberOf(awaitPaymentReceived.events[0]?.event.data, "amount"),
              awaitPaymentReceived.events[0]!.event,
            )
          : awaitPaymentReceived.events[0].event.amount,
      );
      const ship = await flow.step("AwaitPayment/ship", (step) =>
        fn.ship({ id: data.orderId ?? null, paid: data.amount ?? null }, step),
      );
      data = assignResult(data, ship, "ship");
    }
    return data;
  },
});
