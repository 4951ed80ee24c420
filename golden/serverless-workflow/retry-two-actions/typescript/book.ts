// Both actions again 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignResult,
  defineWorkflow,
  errorData,
  failure,
  place,
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
  version: "7877d8c60a47483d",
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
          data = assignResult(data, hotel, "hotel");
          const flight = await flow.step("Book/flight", (step) =>
            fn.flight({ room: data.room ?? null }, step),
          );
          data = assignResult(data, flight, "flight");
        },
        { retries: [{ when: (error) => error.name === "Full", limit: 1, base: 60 }] },
      );
    } catch (caught) {
      const error = failure(caught);
      data = place(data, ["error"], errorData(error));
      // Home (inject state)
      data = assign(data, { stays: "home" });
      return data;
    }
    return data;
  },
});
