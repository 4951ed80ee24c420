// workflow 1.0, from composer-fsm. Change the definition, not this file.
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
  reserve(argument: Json, step: Step): Answer<Json>;
  "/shop/payments/charge"(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Params = { readonly error?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "c656a3bda3e14a67",
  name: "workflow",
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
    // reserve (Task state)
    params = (await flow.step("reserve", (step) => fn.reserve(params, step))) as Json as Params;
    params = (typeOf(params) === "object" ? params : { value: params }) as Params;
    if (params.error === undefined) {
      // charge (Task state)
      params = (await flow.step("charge", (step) =>
        fn["/shop/payments/charge"](params, step),
      )) as Json as Params;
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
