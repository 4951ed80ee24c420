// booking 1.0, from composer-fsm. Change the definition, not this file.
import { type Flow, type Json, type Step, defineWorkflow, errorOf, typeOf } from "./runtime.js";

/** What the workflow calls. */
export interface Functions {
  book(argument: Json, step: Step): Promise<Json>;
}

/** The data of the workflow, as far as it is looked at. */
export type Params = { readonly error?: Json; readonly [member: string]: Json | undefined };

/** booking */
export const booking = defineWorkflow({
  id: "booking",
  version: "3ffeafb87a761772",
  name: "booking",
  run: async (flow: Flow, fn: Functions, params: Params): Promise<Json> => {
    // book (Task state)
    params = (await flow.step("book", (step) => fn.book(params, step))) as Json as Params;
    params = (typeOf(params) === "object" ? params : { value: params }) as Params;
    if (params.error !== undefined) {
      throw errorOf({
        origin: "function",
        name: "ApplicationError",
        message:
          typeof (params.error ?? null) === "string"
            ? (params.error ?? null)
            : "The run has failed with an error that is no text.",
      });
    }
    // done (Pass state)
    return params;
  },
});
