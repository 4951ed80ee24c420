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
  quote(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Params = { readonly error?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "32c6dd3388dd4d19",
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
    // keep (Push state)
    const pushed: Json = params;
    // quote (Task state)
    params = (await flow.step("quote", (step) => fn.quote(params, step))) as Json as Params;
    params = (typeOf(params) === "object" ? params : { value: params }) as Params;
    if (params.error !== undefined) {
      throw errorOf({
        origin: "function",
        name: "ApplicationError",
        message: text(params.error ?? null),
      });
    }
    // both (Pop state)
    params = { result: params, params: pushed } as Params;
    return params;
  },
});
