// booking 1.0, from composer-fsm. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  errorOf,
  failure,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  book(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Params = { readonly error?: Json; readonly [member: string]: Json | undefined };

/** booking */
export const booking = defineWorkflow({
  id: "booking",
  version: "bec266c7542cb3f3",
  name: "booking",
  run: async (flow: Flow, fn: Functions, params: Params): Promise<Json> => {
    // book (Task state)
    try {
      params = (await flow.step("book", (step) => fn.book(params, step))) as Json as Params;
    } catch (caught) {
      const error = failure(caught);
      if (error.name === "ActionNotFound") {
        throw errorOf({
          origin: "denied",
          name: "Rejected",
          message: "The conductor rejects this run: a state cannot do its work.",
        });
      }
      throw errorOf({ origin: "function", name: "ApplicationError", message: error.message });
    }
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
