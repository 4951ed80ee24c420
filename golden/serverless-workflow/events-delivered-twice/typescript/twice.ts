// Twice 1.0, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, assign, defineWorkflow, memberOf, place } from "./runtime.js";

/** Twice */
export const twice = defineWorkflow({
  id: "twice",
  version: "336086523f12e24b",
  name: "Twice",
  start: { on: [{ all: [["Paid"]] }] },
  events: { Paid: { type: "shop.paid", source: "/shop" } },
  waits: {
    First: { alternatives: [{ all: [["Paid"]] }] },
    Second: { alternatives: [{ all: [["Paid"]], within: 10 }] },
  },
  run: async (flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // First (event state)
    const firstReceived = await flow.receive("First");
    data =
      memberOf(firstReceived.events[0]?.event.data, "first") !== undefined
        ? assign(data, { first: memberOf(firstReceived.events[0]?.event.data, "first")! })
        : memberOf(memberOf(firstReceived.events[0]?.event.data, "data"), "first") !== undefined
          ? assign(data, {
              first: memberOf(memberOf(firstReceived.events[0]?.event.data, "data"), "first")!,
            })
          : place(data, ["data", "first"], firstReceived.events[0]!.event);
    // Second (event state)
    const secondReceived = await flow.receive("Second");
    if (secondReceived.alternative !== null) {
      data =
        memberOf(secondReceived.events[0]?.event.data, "second") !== undefined
          ? assign(data, { second: memberOf(secondReceived.events[0]?.event.data, "second")! })
          : memberOf(memberOf(secondReceived.events[0]?.event.data, "data"), "second") !== undefined
            ? assign(data, {
                second: memberOf(memberOf(secondReceived.events[0]?.event.data, "data"), "second")!,
              })
            : place(data, ["data", "second"], secondReceived.events[0]!.event);
    }
    return data;
  },
});
