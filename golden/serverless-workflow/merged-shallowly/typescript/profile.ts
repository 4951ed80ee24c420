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
  version: "24f32476446e4206",
  name: "Members are replaced as a whole, by choice",
  events: {
    Moved: {
      type: "customer.moved",
      source: "/customers",
      correlation: (event) => attributeOf(event, "customer"),
      correlationAttribute: "customer",
    },
  },
  correlation: (data: Data, run) => (data.customer === undefined ? run.id : data.customer),
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
    const awaitReceived = await flow.receive("Await", { alternatives: [{ all: [["Moved"]] }] });
    data = awaitEvent(data, awaitReceived) as Data;
    return data;
  },
});
