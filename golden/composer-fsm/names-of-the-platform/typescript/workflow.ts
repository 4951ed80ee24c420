// workflow 1.0, from composer-fsm. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow, deletePaths, errorOf, text } from "./runtime.js";
import * as functions from "./workflow.functions.js";

/** The members of the workflow data that the workflow uses. */
export type Params = { readonly error?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "43e3f736ddc0d76d",
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
    // decode (Task state)
    params = (await flow.step("decode", () => functions.decode(params))) as Params;
    if (params.error === undefined) {
      // try (Try state)
      // lost (Task state)
      params = (await flow.step("lost", () => functions.lost(params))) as Params;
      if (params.error !== undefined) {
        params = { error: params.error ?? null } as Params;
      } else {
        // catch (Catch state)
      }
      // done (Pass state)
      if (params.error === undefined) return params;
    }
    throw errorOf({
      origin: "function",
      name: "ApplicationError",
      message: text(params.error ?? null),
    });
  },
});
