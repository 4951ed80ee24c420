// booking 1.0, from composer-fsm. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  deletePaths,
  errorOf,
  failure,
  text,
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
  version: "b4b56d25e7fcc7dd",
  name: "booking",
  run: async (flow: Flow, fn: Functions, params: Params): Promise<Json> => {
    params = deletePaths(params, [
      ["$config"],
      ["$activationId"],
      ["$invoke"],
      ["$sessionId"],
      ["$state"],
      ["$stack"],
      ["$blocking"],
    ]) as Params;
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
        message: text(params.error ?? null),
      });
    }
    // done (Pass state)
    return params;
  },
});
