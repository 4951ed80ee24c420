// all 1, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow, mergeResult } from "./runtime.js";

/** all */
export const all = defineWorkflow({
  id: "all",
  version: "b130a538df5a7483",
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
        data = mergeResult(data, each.event.data ?? null, each.name);
      }
    }
    return data;
  },
});
