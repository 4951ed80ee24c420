// A run that only an event starts emits i… 1.0, from serverless-workflow. Change the definition, not this file.
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
  ship(argument: { readonly boxes: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly order?: Json;
  readonly boxes?: Json;
  readonly truck?: Json;
  readonly [member: string]: Json | undefined;
};

/** A run that only an event starts emits its correlation value */
export const shipping = defineWorkflow({
  id: "shipping",
  version: "b8781364260000d3",
  name: "A run that only an event starts emits its correlation value",
  start: { on: [{ all: [["Packed"]] }] },
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
  waits: { Ship: { alternatives: [{ all: [["Packed"]] }] } },
  correlation: (data: Data, run) => firstScalar(data.order, run.id),
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Ship (event state)
    const shipReceived = await flow.receive("Ship", { correlation: { order: data.order } });
    data = assignEvent(data, shipReceived.events[0]!.event, "Packed", "order");
    const ship = await flow.step("Ship/ship", (step) =>
      fn.ship({ boxes: data.boxes ?? null }, step),
    );
    data = assignResult(data, ship, "ship");
    await flow.emit(
      "Ship/emit",
      "Shipped",
      { truck: data.truck ?? null },
      { correlation: data.order },
    );
    return data;
  },
});
