// workflow 1.0, from composer-fsm. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow, deletePaths, errorOf, text } from "./runtime.js";
import {
  first as first2,
  returns as returns2,
  second as second2,
  throws as throws2,
} from "./workflow.functions.js";

/** The members of the workflow data that the workflow uses. */
export type Params = { readonly error?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "62c3e844cccc4ccc",
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
    const throws = await flow.step("throws", () => throws2({ params, variables: { n } }));
    params = (throws?.params ?? null) as Params;
    n = throws?.variables?.n ?? null;
    if (params?.error !== undefined) {
      params = { error: params.error ?? null } as Params;
    } else {
      // catch (Catch state)
    }
    // first (Task state)
    const first = await flow.step("first", () => first2({ params, variables: { n } }));
    params = (first?.params ?? null) as Params;
    n = first?.variables?.n ?? null;
    if (params?.error === undefined) {
      // tryAgain (Try state)
      // returns (Task state)
      const returns = await flow.step("returns", () => returns2({ params, variables: { n } }));
      params = (returns?.params ?? null) as Params;
      n = returns?.variables?.n ?? null;
      if (params?.error !== undefined) {
        params = { error: params.error ?? null } as Params;
      } else {
        // catchAgain (Catch state)
      }
      // second (Task state)
      const second = await flow.step("second", () => second2({ params, variables: { n } }));
      params = (second?.params ?? null) as Params;
      if (params?.error === undefined) {
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
