// Orders 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignEvent,
  assignResult,
  attributeOf,
  defineWorkflow,
  difference,
  firstScalar,
  mergeResult,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  prepare(argument: Json, step: Step): Answer<Json>;
  deliver(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly order?: Json;
  readonly parcel?: Json;
  readonly [member: string]: Json | undefined;
};

/** Orders */
export const orders = defineWorkflow({
  id: "orders",
  version: "696f62cb314353ea",
  name: "Orders",
  events: {
    Paid: {
      type: "order.paid",
      source: "/shop",
      correlation: (event) => attributeOf(event, "order"),
      correlationKey: "order",
      correlationAttribute: "order",
    },
    Prepared: {
      type: "order.prepared",
      source: "/shop",
      correlation: (event) => attributeOf(event, "order"),
      correlationKey: "order",
      correlationAttribute: "order",
    },
    Done: {
      type: "order.done",
      source: "/shop",
      correlation: (event) => attributeOf(event, "order"),
      correlationKey: "order",
      correlationAttribute: "order",
    },
    Delivered: {
      type: "order.delivered",
      source: "/shop",
      correlation: (event) => attributeOf(event, "order"),
      correlationKey: "order",
      correlationAttribute: "order",
    },
  },
  waits: { Wait: { alternatives: [{ all: [["Paid"]] }] } },
  correlation: (data: Data, run) => firstScalar(data.order, run.id),
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Both (parallel state)
    const bothResults = await flow.fork("Both", {
      pay: (flow) => bothPay(flow, data),
      pack: (flow) => bothPack(flow, fn, data),
    });
    data = mergeResult(
      mergeResult(data, difference(bothResults.pay, data), "pay"),
      difference(bothResults.pack, data),
      "pack",
    );
    await flow.emit("Both/emit", "Done", data.parcel ?? null, { correlation: data.order });
    // Deliver (operation state)
    const deliver = await flow.step("Deliver", (step) => fn.deliver(data, step));
    data = assignResult(data, deliver, "deliver");
    await flow.emit("Deliver/emit", "Delivered", data.parcel ?? null, { correlation: data.order });
    return data;
  },
});

/** Both / pay */
async function bothPay(flow: Flow, data: Data): Promise<Json> {
  // Wait (event state)
  const waitReceived = await flow.receive("Wait", { correlation: { order: data.order } });
  data = assignEvent(data, waitReceived.events[0]!.event, "Paid", "order");
  return data;
}

/** Both / pack */
async function bothPack(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // Prepare (operation state)
  const prepare = await flow.step("Prepare", (step) => fn.prepare(data, step));
  data = assignResult(data, prepare, "prepare");
  await flow.emit("Prepare/emit", "Prepared", data.parcel ?? null, { correlation: data.order });
  return data;
}
