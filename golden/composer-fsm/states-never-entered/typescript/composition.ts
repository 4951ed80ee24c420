// composition 1.0, from composer-fsm. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  errorOf,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  pack(argument: Json, step: Step): Answer<Json>;
  ship(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Params = { readonly error?: Json; readonly [member: string]: Json | undefined };

/** composition */
export const composition = defineWorkflow({
  id: "composition",
  version: "a6daf5c11be8cb97",
  name: "composition",
  run: async (flow: Flow, fn: Functions, params: Params): Promise<Json> => {
    // pack (Task state)
    params = (await flow.step("pack", (step) => fn.pack(params, step))) as Json as Params;
    params = (typeOf(params) === "object" ? params : { value: params }) as Params;
    if (params.error === undefined) {
      // ship (Task state)
      params = (await flow.step("ship", (step) => fn.ship(params, step))) as Json as Params;
      params = (typeOf(params) === "object" ? params : { value: params }) as Params;
      if (params.error === undefined) return params;
    }
    throw errorOf({
      origin: "function",
      name: "ApplicationError",
      message:
        typeof (params.error ?? null) === "string"
          ? (params.error ?? null)
          : "The run has failed with an error that is no text.",
    });
  },
});
