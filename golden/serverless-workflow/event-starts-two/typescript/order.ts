// Two workflows that one event starts 1.0, from serverless-workflow. Change the definition, not this file.
import { pick } from "./pick.ts";
import { type Flow, type Json, assign, assignResult, defineWorkflow } from "./runtime.js";

/** Two workflows that one event starts */
export const order = defineWorkflow({
  id: "order",
  version: "eb298863e79d823b",
  name: "Two workflows that one event starts",
  start: { on: [{ all: [["Halted"]] }] },
  events: { Halted: { type: "shop.stopped", source: "/shop" } },
  waits: { "Await halt": { alternatives: [{ all: [["Halted"]] }] } },
  run: async (flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // Await halt (event state)
    const awaitHaltReceived = await flow.receive("Await halt");
    data = assignResult(data, awaitHaltReceived.events[0]?.event.data ?? null, "Halted");
    // Pick (subflow state)
    const pickResult = await flow.invoke("Pick", pick, data, { terminates: true });
    data = assign(data, pickResult);
    return data;
  },
});
