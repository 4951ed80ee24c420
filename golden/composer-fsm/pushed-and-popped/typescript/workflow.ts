// workflow 1.0, from composer-fsm. Change the definition, not this file.
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
  quote(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Params = { readonly error?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "591d123acf49d14c",
  name: "workflow",
  run: async (flow: Flow, fn: Functions, params: Params): Promise<Json> => {
    // keep (Push state)
    const pushed: Json = params;
    // quote (Task state)
    params = (await flow.step("quote", (step) => fn.quote(params, step))) as Json as Params;
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
    // both (Pop state)
    params = { result: params, params: pushed } as Params;
    return params;
  },
});
