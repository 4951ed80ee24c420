// A switch over events 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Flow,
  type Json,
  assign,
  assignResult,
  defineWorkflow,
  memberOf,
  place,
} from "./runtime.js";

/** A switch over events */
export const visa = defineWorkflow({
  id: "visa",
  version: "108ae20c0fa43e09",
  name: "A switch over events",
  events: {
    Approved: { type: "visa.approved", source: "/visa" },
    Rejected: { type: "visa.rejected", source: "/visa" },
  },
  waits: {
    Decide: {
      alternatives: [
        { all: [["Approved"]], within: 3600 },
        { all: [["Rejected"]], within: 3600 },
      ],
    },
  },
  run: async (flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // Decide (switch state)
    const decideReceived = await flow.receive("Decide");
    if (decideReceived.alternative === 0) {
      data = assignResult(data, decideReceived.events[0]?.event.data ?? null, "Approved");
      // Yes (inject state)
      data = assign(data, { was: "approved" });
      return data;
    }
    if (decideReceived.alternative === 1) {
      data =
        memberOf(decideReceived.events[0]?.event.data, "reason") !== undefined
          ? assign(data, { reason: memberOf(decideReceived.events[0]?.event.data, "reason")! })
          : memberOf(memberOf(decideReceived.events[0]?.event.data, "data"), "reason") !== undefined
            ? assign(data, {
                reason: memberOf(memberOf(decideReceived.events[0]?.event.data, "data"), "reason")!,
              })
            : place(data, ["data", "reason"], decideReceived.events[0]!.event);
      // No (inject state)
      data = assign(data, { was: "rejected" });
      return data;
    }
    // Late (inject state)
    data = assign(data, { was: "late" });
    return data;
  },
});
