// zero 1, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, assign, assignResult, defineWorkflow } from "./runtime.js";

/** zero */
export const zero = defineWorkflow({
  id: "zero",
  version: "ddd3552856aea1f7",
  name: "zero",
  events: { E: { type: "e", source: "/s" } },
  waits: { B: { alternatives: [{ all: [["E"]], within: 0 }] } },
  run: async (flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // B (switch state)
    const bReceived = await flow.receive("B");
    if (bReceived.alternative === 0) {
      data = assignResult(data, bReceived.events[0]?.event.data ?? null, "E");
      // Y (inject state)
      data = assign(data, { r: "came" });
      return data;
    }
    // N (inject state)
    data = assign(data, { r: "late" });
    return data;
  },
});
