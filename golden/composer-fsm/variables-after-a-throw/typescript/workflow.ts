// workflow 1.0, from composer-fsm. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow, deletePaths, errorOf, text } from "./runtime.js";
import * as functions from "./workflow.functions.js";

/** The members of the workflow data that the workflow uses. */
export type Params = { readonly error?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "50a43336beb27e3a",
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
    // n (Let state)
    let n: Json = 1;
    // try (Try state)
    // throws (Task state)
    const throws = await flow.step("throws", () => functions.throws({ params, variables: { n } }));
    params = throws.params! as Params;
    n = throws.variables!.n ?? null;
    if (params.error !== undefined) {
      params = { error: params.error ?? null } as Params;
    } else {
      // catch (Catch state)
    }
    // first (Task state)
    params = (await flow.compute("first", () =>
      functions.first({ params, variables: { n } }),
    )) as Params;
    if (params.error === undefined) {
      // tryAgain (Try state)
      // returns (Task state)
      const returns = await flow.compute("returns", () =>
        functions.returns({ params, variables: { n } }),
      );
      params = returns.params! as Params;
      n = returns.variables!.n ?? null;
      if (params.error !== undefined) {
        params = { error: params.error ?? null } as Params;
      } else {
        // catchAgain (Catch state)
      }
      // second (Task state)
      params = (await flow.compute("second", () =>
        functions.second({ params, variables: { n } }),
      )) as Params;
      if (params.error === undefined) {
        // end (End state)
        return params;
      }
    }
    throw errorOf({
      origin: "function",
      name: "ApplicationError",
      message: text(params.error ?? null),
    });
  },
});
