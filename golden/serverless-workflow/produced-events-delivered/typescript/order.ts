// Order 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  attributeOf,
  defineWorkflow,
  firstScalar,
  mergeEvent,
  mergeResult,
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
  version: "a3d262b9c2fa6004",
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
    data = mergeResult(data, pack, "pack");
    await flow.emit(
      "Pack/emit",
      "Packed",
      { order: data.order ?? null, boxes: data.boxes ?? null },
      { correlation: data.order },
    );
    // Await (event state)
    const awaitReceived = await flow.receive("Await", { correlation: { order: data.order } });
    if (awaitReceived.alternative !== null)
      data = mergeEvent(data, awaitReceived.events[0]!.event, "Shipped", "order");
    return data;
  },
});
