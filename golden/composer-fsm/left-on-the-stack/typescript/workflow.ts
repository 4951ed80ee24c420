// workflow 1.0, from composer-fsm. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow, deletePaths, errorOf, text } from "./runtime.js";
import * as functions from "./workflow.functions.js";

/** The members of the workflow data that the workflow uses. */
export type Params = { readonly error?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "f737e2fdb2cbff31",
  name: "workflow",
  run: async (flow: Flow, _fn: object, params: Params): Promise<Json> => {
    params = deletePaths(params, [
      ["$config"],
      ["$activationId"],
      ["$invoke"],
      ["$sessionId"],
      ["$state"],
      ["$stack"],
      ["$blocking"],
    ]) as Params;
    // try (Try state)
    // let (Let state)
    const tax = 0.25;
    // keep (Push state)
    // sum (Task state)
    params = (await flow.compute("sum", () =>
      functions.sum({ params, variables: { tax } }),
    )) as Params;
    if (params.error !== undefined) {
      params = { error: params.error ?? null } as Params;
      if (params.error !== undefined) {
        throw errorOf({
          origin: "function",
          name: "ApplicationError",
          message: text(params.error ?? null),
        });
      }
      return params;
    }
    // done (Pass state)
    return params;
  },
});
