// Objects are merged member by member, by… 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  attributeOf,
  defineWorkflow,
  errorData,
  failure,
  firstScalar,
  merge,
  mergeEvent,
  mergeResult,
  place,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  look(argument: { readonly customer: Json }, step: Step): Answer<Json>;
  rate(
    argument: { readonly address: Json },
    step: Step,
  ): Answer<{ readonly rating?: Json; readonly [member: string]: Json | undefined }>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly customer?: Json;
  readonly address?: Json;
  readonly [member: string]: Json | undefined;
};

/** Objects are merged member by member, by choice */
export const profile = defineWorkflow({
  id: "profile",
  version: "fefe2c9f3a2a965d",
  name: "Objects are merged member by member, by choice",
  events: {
    Moved: {
      type: "customer.moved",
      source: "/customers",
      correlation: (event) => attributeOf(event, "customer"),
      correlationKey: "customer",
      correlationAttribute: "customer",
    },
  },
  waits: { Await: { alternatives: [{ all: [["Moved"]] }] } },
  correlation: (data: Data, run) => firstScalar(data.customer, run.id),
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Begin (inject state)
    data = merge(data, { address: { country: "NO" }, rating: { class: "A" } });
    // Look (operation state)
    try {
      await flow.attempt("Look", async (flow) => {
        const look = await flow.step("Look/look", (step) =>
          fn.look({ customer: data.customer ?? null }, step),
        );
        data = mergeResult(data, look, "look");
        const rate = await flow.step("Look/rate", (step) =>
          fn.rate({ address: data.address ?? null }, step),
        );
        data =
          rate?.rating !== undefined
            ? merge(data, { rating: rate.rating })
            : place(data, ["rating"], rate);
      });
    } catch (caught) {
      const error = failure(caught);
      if (error.name !== "Unknown") throw caught;
      data = place(data, ["error"], errorData(error));
      // Sorry (inject state)
      data = merge(data, { error: { told: true } });
      return data;
    }
    // Await (event state)
    const awaitReceived = await flow.receive("Await", { correlation: { customer: data.customer } });
    data = mergeEvent(data, awaitReceived.events[0]!.event, "Moved", "customer");
    return data;
  },
});
