// workflow 1.0, from composer-fsm. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow, deletePaths, errorOf, text } from "./runtime.js";
import * as functions from "./workflow.functions.js";

/** The members of the workflow data that the workflow uses. */
export type Params = { readonly error?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "86f7697c31a28299",
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
    // date (Task state)
    params = (await flow.step("date", () => functions.date(params))) as Params;
    if (params.error === undefined) {
      // keep (Push state)
      const pushed: Json = params;
      // promise (Task state)
      params = (await flow.step("promise", () => functions.promise(params))) as Params;
      if (params.error === undefined) {
        // take (Pop state)
        params = { result: params, params: pushed } as Params;
        // nothing (Task state)
        params = (await flow.step("nothing", () => functions.nothing(params))) as Params;
        if (params.error === undefined) {
          // last (Task state)
          params = (await flow.step("last", () => functions.last(params))) as Params;
          if (params.error === undefined) return params;
        }
      }
    }
    throw errorOf({
      origin: "function",
      name: "ApplicationError",
      message: text(params.error ?? null),
    });
  },
});
