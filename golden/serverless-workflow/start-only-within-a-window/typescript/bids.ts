// Events start runs while bids are taken 1.0, from serverless-workflow. Change the definition, not this file.
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
  store(argument: { readonly amount: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly amount?: Json; readonly [member: string]: Json | undefined };

/** Events start runs while bids are taken */
export const bids = defineWorkflow({
  id: "bids",
  version: "a0e1d55db9645813",
  name: "Events start runs while bids are taken",
  start: {
    on: [{ all: [["Bid"]] }],
    window: { from: "2026-03-20T09:00:00Z", until: "2026-03-20T15:00:00Z" },
  },
  events: { Bid: { type: "auction.bid", source: "/auction" } },
  waits: { Store: { alternatives: [{ all: [["Bid"]] }] } },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Store (event state)
    const storeReceived = await flow.receive("Store");
    data = assignResult(data, storeReceived.events[0]?.event.data ?? null, "Bid");
    const store = await flow.step("Store/store", (step) =>
      fn.store({ amount: data.amount ?? null }, step),
    );
    data = assignResult(data, store, "store");
    return data;
  },
});
