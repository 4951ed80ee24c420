// event-spellings 1.0, from sm4c. Change the definition, not this file.
import { wholeEvent } from "./event-spellings.expressions.ts";
import { type Flow, type Json, defineWorkflow, deletePaths, get, withMember } from "./runtime.js";

/** event-spellings */
export const eventSpellings = defineWorkflow({
  id: "event-spellings",
  version: "5f7e77723ec48fd0",
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
    {
      const value2 = {
        a: waitReceived.groups[0]!.event.id,
        b: "paid",
        c: waitReceived.groups[0]!.event.source,
        d: waitReceived.groups[0]!.event.type,
        e: waitReceived.groups[0]?.event.time ?? null,
        f: get(waitReceived.groups[0]?.event.data ?? null, "n"),
        g: deletePaths(waitReceived.groups[0]!.event, [
          ["specversion"],
          ["id"],
          ["source"],
          ["type"],
          ["subject"],
          ["time"],
          ["datacontenttype"],
          ["dataschema"],
          ["data"],
        ]),
        h: get(waitReceived.groups[0]?.event.data ?? null, "n"),
        i: waitReceived.groups[0]!.event.type,
        j: waitReceived.groups[0]?.event.order ?? null,
      };
      data = withMember(data, "seen", value2);
    }
    // Whole (state)
    const wholeReceived = await flow.receive("Whole");
    data = wholeEvent(data, wholeReceived);
    // Done (state)
    return data;
  },
});
