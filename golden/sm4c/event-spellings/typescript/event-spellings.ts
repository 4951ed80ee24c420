// event-spellings 1.0, from sm4c. Change the definition, not this file.
import { waitEvent, wholeEvent } from "./event-spellings.expressions.ts";
import { type Flow, type Json, defineWorkflow } from "./runtime.js";

/** event-spellings */
export const eventSpellings = defineWorkflow({
  id: "event-spellings",
  version: "1f2492c87ac33cee",
  name: "event-spellings",
  events: {
    paid: { type: "shop.paid", foldCase: true },
    waived: { type: "shop.waived", source: "/desk", foldCase: true },
    packed: { type: "shop.packed", foldCase: true },
    reminder: { subject: "reminder", foldCase: true },
  },
  waits: {
    Wait: { alternatives: [{ all: [["paid"]] }], unused: "drop" },
    Whole: { alternatives: [{ all: [["paid"]] }], unused: "drop" },
  },
  run: async (flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // Wait (state)
    const waitReceived = await flow.receive("Wait");
    data = waitEvent(data, waitReceived);
    // Whole (state)
    const wholeReceived = await flow.receive("Whole");
    data = wholeEvent(data, wholeReceived);
    // Done (state)
    return data;
  },
});
