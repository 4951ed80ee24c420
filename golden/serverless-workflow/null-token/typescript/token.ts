// token 1, from serverless-workflow. Change the definition, not this file.
import {
  type Flow,
  type Json,
  attributeOf,
  defineWorkflow,
  memberOf,
  merge,
  place,
} from "./runtime.js";

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly customer?: Json; readonly [member: string]: Json | undefined };

/** token */
export const token = defineWorkflow({
  id: "token",
  version: "014136021bcaf44b",
  name: "token",
  events: {
    E: {
      type: "e",
      source: "/s",
      correlation: (event) => attributeOf(event, "customer"),
      correlationAttribute: "customer",
    },
  },
  correlation: (data: Data, run) => (data.customer === undefined ? run.id : data.customer),
  run: async (flow: Flow, _fn: object, data: Data): Promise<Json> => {
    // A (delay state)
    await flow.sleep("A", 1);
    // B (event state)
    const bReceived = await flow.receive("B", { alternatives: [{ all: [["E"]] }] });
    data =
      memberOf(bReceived.events[0]?.event.data, "x") !== undefined
        ? merge(data, { x: memberOf(bReceived.events[0]?.event.data, "x")! })
        : memberOf(memberOf(bReceived.events[0]?.event.data, "data"), "x") !== undefined
          ? merge(data, { x: memberOf(memberOf(bReceived.events[0]?.event.data, "data"), "x")! })
          : place(data, ["data", "x"], bReceived.events[0]!.event);
    return data;
  },
});
