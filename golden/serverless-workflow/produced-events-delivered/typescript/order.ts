// Order 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignEvent,
  assignResult,
  attributeOf,
  defineWorkflow,
  firstScalar,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  pack(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly order?: Json;
  readonly boxes?: Json;
  readonly [member: string]: Json | undefined;
};

/** Order */
export const order = defineWorkflow({
  id: "order",
  version: "e06913e90633397a",
  name: "Order",
  events: {
    Packed: {
      type: "shop.packed",
      source: "/shop",
      correlation: (event) => attributeOf(event, "order"),
      correlationKey: "order",
      correlationAttribute: "order",
    },
    Shipped: {
      type: "shop.shipped",
      source: "/shop",
      correlation: (event) => attributeOf(event, "order"),
      correlationKey: "order",
      correlationAttribute: "order",
    },
  },
  waits: { Await: { alternatives: [{ all: [["Shipped"]], within: 10 }] } },
  correlation: (data: Data, run) => firstScalar(data.order, run.id),
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Pack (operation state)
    const pack = await flow.step("Pack", (step) => fn.pack(data, step));
    data = assignResult(data, pack, "pack");
    await flow.emit(
      "Pack/emit",
      "Packed",
      { order: data.order ?? null, boxes: data.boxes ?? null },
      { correlation: data.order },
    );
    // Await (event state)
    const awaitReceived = await flow.receive("Await", { correlation: { order: data.order } });
    if (awaitReceived.alternative !== null) {
      data = assignEvent(data, awaitReceived.events[0]!.event, "Shipped", "order");
    }
    return data;
  },
});
