// all 1, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, assignResult, defineWorkflow } from "./runtime.js";

/** all */
export const all = defineWorkflow({
  id: "all",
  version: "7de0e3b910151026",
  name: "all",
  start: { on: [{ all: [["E"], ["F"]] }], complete: true, gap: 5 },
  events: { E: { type: "e", source: "/s" }, F: { type: "f", source: "/s" } },
  waits: {
    A: { alternatives: [{ all: [["E"], ["F"]], within: 5 }] },
    "A/drop": { alternatives: [{ all: [["E", "F"]], within: 0 }] },
  },
  run: async (flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // A (event state)
    const aReceived = await flow.receive("A");
    aEnd: {
      if (aReceived.alternative === null) {
        while (true) {
          await flow.round("A/drop", {});
          const aReceived2 = await flow.receive("A/drop");
          if (aReceived2.alternative === null) break aEnd;
        }
      }
      for (const each of aReceived.events) {
        data = assignResult(data, each.event.data ?? null, each.name);
      }
    }
    return data;
  },
});
