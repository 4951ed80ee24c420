import type { CloudEvent } from "../../../targets/typescript/runtime/events.ts";
import type { Step } from "../../../targets/typescript/runtime/flow.ts";
import type { Json } from "../../../targets/typescript/runtime/json.ts";
import { defineWorkflow } from "../../../targets/typescript/runtime/workflow.ts";

/** The functions that these workflows call. */
export interface Functions {
  greet(argument: Json, step: Step): Promise<Json> | Json;
}

/** Calls a function and returns its result. */
export const greet = defineWorkflow<Functions, Json>({
  id: "greet",
  version: "1",
  name: "Greet",
  anyInput: true,
  run: (flow, functions, input) => flow.step<Json>("greet", (step) => functions.greet(input, step)),
});

/** The order of an event, if any. */
const correlation = (event: CloudEvent): Json => event["order"] ?? "any";

/** Starts with an order and returns the data of its payment. */
export const orders = defineWorkflow<Functions, Json>({
  id: "order/new",
  version: "1",
  name: "Orders",
  start: { on: [{ all: [["placed"]] }] },
  events: { placed: { type: "order.placed", correlation }, paid: { type: "order.paid", correlation } },
  waits: { placed: { alternatives: [{ all: [["placed"]] }] }, paid: { alternatives: [{ all: [["paid"]] }] } },
  async run(flow) {
    await flow.receive("placed");
    const { events } = await flow.receive("paid");
    return events[0]?.event.data ?? null;
  },
});

/** Fails for the name `nobody`. */
export const functions: Functions = {
  greet(argument) {
    if (argument === "nobody") throw Object.assign(new Error("There is nobody."), { name: "Nobody" });
    return { greeting: `Hello ${String(argument)}` };
  },
};
