// Order 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignMember,
  defineWorkflow,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  pack(
    argument: { readonly to: Json; readonly items: Json },
    step: Step,
  ): Answer<{ readonly parcel: string }>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly customer?: { readonly address?: Json; readonly [member: string]: Json | undefined };
  readonly items?: Json;
  readonly payment?: { readonly method?: Json; readonly [member: string]: Json | undefined };
  readonly [member: string]: Json | undefined;
};

/** Order */
export const order = defineWorkflow({
  id: "order",
  version: "681b32326267e73f",
  name: "Order",
  start: { on: [{ all: [["Ordered"]] }] },
  events: {
    Ordered: { type: "shop.ordered", source: "/shop" },
    Paid: { type: "shop.paid", source: "/payments" },
  },
  waits: {
    Start: { alternatives: [{ all: [["Ordered"]] }] },
    Pay: { alternatives: [{ all: [["Paid"]] }] },
  },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Start (event state)
    const startReceived = await flow.receive("Start");
    data = assign(data, startReceived.events[0]!.event.data!);
    const pack = await flow.step("Start/pack", (step) =>
      fn.pack({ to: data.customer!.address!, items: data.items! }, step),
    );
    data = assignMember(data, "parcel", pack);
    // Pay (event state)
    const payReceived = await flow.receive("Pay");
    data = assign(data, payReceived.events[0]!.event.data!);
    // Decide (switch state)
    if (data.payment!.method === "card") {
      // Done (inject state)
      data = assign(data, { done: true });
      return data;
    }
    // Failed (inject state)
    data = assign(data, { done: false });
    return data;
  },
});
