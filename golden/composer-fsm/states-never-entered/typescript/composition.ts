// composition 1.0, from composer-fsm. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  deletePaths,
  errorOf,
  text,
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
  version: "8f9a88599aab7999",
  name: "composition",
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
      message: text(params.error ?? null),
    });
  },
});
