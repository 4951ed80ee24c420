// A parcel on AWS Lambda 1.0, from serverless-workflow. Change the definition, not this file.
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
  pack(argument: { readonly order: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly order?: Json; readonly [member: string]: Json | undefined };

/** A parcel on AWS Lambda */
export const parcel = defineWorkflow({
  id: "parcel",
  version: "21043f8cb6f9ce21",
  name: "A parcel on AWS Lambda",
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
    Sent: { type: "parcel.sent", source: "/parcels" },
  },
  waits: {
    Order: { alternatives: [{ all: [["Ordered"]] }] },
    Pay: { alternatives: [{ all: [["Paid"]], within: 259_200 }] },
  },
  correlation: (data: Data, run) => firstScalar(data.order, run.id),
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Order (event state)
    const orderReceived = await flow.receive("Order", { correlation: { order: data.order } });
    data = assignEvent(data, orderReceived.events[0]!.event, "Ordered", "order");
    const pack = await flow.step("Order/pack", (step) =>
      fn.pack({ order: data.order ?? null }, step),
    );
    data = assignResult(data, pack, "pack");
    // Pay (event state)
    const payReceived = await flow.receive("Pay", { correlation: { order: data.order } });
    if (payReceived.alternative !== null) {
      data = assignEvent(data, payReceived.events[0]!.event, "Paid", "order");
    }
    // Done (inject state)
    data = assign(data, { done: true });
    await flow.emit("Done/emit", "Sent", data.order ?? null);
    return data;
  },
});
