// Retry the actions, not the wait 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  store(argument: { readonly bid: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly bid?: Json; readonly [member: string]: Json | undefined };

/** Retry the actions, not the wait */
export const bids = defineWorkflow({
  id: "bids",
  version: "7e040fd6e48974f4",
  name: "Retry the actions, not the wait",
  start: { on: [{ all: [["Bid"]] }] },
  events: { Bid: { type: "bid", source: "/cars" } },
  waits: { Store: { alternatives: [{ all: [["Bid"]] }] } },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Store (event state)
    const storeReceived = await flow.receive("Store");
    const dataBefore = data;
    await flow.attempt(
      "Store/attempt",
      async (flow) => {
        data = dataBefore;
        data = assignResult(data, storeReceived.events[0]?.event.data ?? null, "Bid");
        const store = await flow.step("Store/store", (step) =>
          fn.store({ bid: data.bid ?? null }, step),
        );
        data = assignResult(data, store, "store");
      },
      { retries: [{ when: (error) => error.name === "Busy", limit: 3, base: 1 }] },
    );
    return data;
  },
});
