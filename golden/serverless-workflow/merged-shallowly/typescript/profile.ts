// Members are replaced as a whole, by cho… 1.0, from serverless-workflow. Change the definition, not this file.
import { awaitEvent } from "./profile.expressions.ts";
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
  mergeOutput,
  place,
  typeOf,
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

/** Members are replaced as a whole, by choice */
export const profile = defineWorkflow({
  id: "profile",
  version: "b8a7cbaea2512bd6",
  name: "Members are replaced as a whole, by choice",
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
    data = mergeOutput(data, { address: { country: "NO" }, rating: { class: "A" } });
    // Look (operation state)
    try {
      await flow.attempt("Look", async (flow) => {
        const look = await flow.step("Look/look", (step) =>
          fn.look({ customer: data.customer ?? null }, step),
        );
        data =
          look === null ? data : mergeOutput(data, typeOf(look) === "object" ? look : { look });
        const rate = await flow.step("Look/rate", (step) =>
          fn.rate({ address: data.address ?? null }, step),
        );
        data =
          rate?.rating !== undefined
            ? mergeOutput(data, { rating: rate.rating })
            : place(data, ["rating"], rate);
      });
    } catch (caught) {
      const error = failure(caught);
      if (error.name !== "Unknown") throw caught;
      data = mergeOutput(data, { error: errorData(error) });
      // Sorry (inject state)
      data = mergeOutput(data, { error: { told: true } });
      return data;
    }
    // Await (event state)
    const awaitReceived = await flow.receive("Await", { correlation: { customer: data.customer } });
    data = awaitEvent(data, awaitReceived) as Data;
    return data;
  },
});
