// Both actions again 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  errorData,
  failure,
  merge,
  mergeResult,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  hotel(argument: { readonly at: Json }, step: Step): Answer<Json>;
  flight(argument: { readonly room: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly to?: Json;
  readonly room?: Json;
  readonly [member: string]: Json | undefined;
};

/** Both actions again */
export const book = defineWorkflow({
  id: "book",
  version: "92f4044d3e77a514",
  name: "Both actions again",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Book (operation state)
    try {
      const dataBefore = data;
      await flow.attempt(
        "Book",
        async (flow) => {
          data = dataBefore;
          const hotel = await flow.step("Book/hotel", (step) =>
            fn.hotel({ at: data.to ?? null }, step),
          );
          data = mergeResult(data, hotel, "hotel");
          const flight = await flow.step("Book/flight", (step) =>
            fn.flight({ room: data.room ?? null }, step),
          );
          data = mergeResult(data, flight, "flight");
        },
        { retries: [{ when: (error) => error.name === "Full", limit: 1, base: 60 }] },
      );
    } catch (caught) {
      const error = failure(caught);
      data = merge(data, { error: errorData(error) });
      // Home (inject state)
      data = merge(data, { stays: "home" });
      return data;
    }
    return data;
  },
});
