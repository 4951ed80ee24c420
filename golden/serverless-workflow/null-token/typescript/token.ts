// token 1, from serverless-workflow. Change the definition, not this file.
import {
  type Flow,
  type Json,
  assign,
  attributeOf,
  defineWorkflow,
  firstScalar,
  memberOf,
  place,
} from "./runtime.js";

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly customer?: Json; readonly [member: string]: Json | undefined };

/** token */
export const token = defineWorkflow({
  id: "token",
  version: "f844551eb8676f23",
  name: "token",
  events: {
    E: {
      type: "e",
      source: "/s",
      correlation: (event) => attributeOf(event, "customer"),
      correlationKey: "customer",
      correlationAttribute: "customer",
    },
  },
  waits: { B: { alternatives: [{ all: [["E"]] }] } },
  correlation: (data: Data, run) => firstScalar(data.customer, run.id),
  run: async (flow: Flow, _fn: object, data: Data): Promise<Json> => {
    // A (delay state)
    await flow.sleep("A", 1);
    // B (event state)
    const bReceived = await flow.receive("B", { correlation: { customer: data.customer } });
    data =
      memberOf(bReceived.events[0]?.event.data, "x") !== undefined
        ? assign(data, { x: memberOf(bReceived.events[0]?.event.data, "x")! })
        : memberOf(memberOf(bReceived.events[0]?.event.data, "data"), "x") !== undefined
          ? assign(data, { x: memberOf(memberOf(bReceived.events[0]?.event.data, "data"), "x")! })
          : place(data, ["data", "x"], bReceived.events[0]!.event);
    return data;
  },
});
