// workflow 1.0, from composer-fsm. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow, deletePaths, errorOf, text } from "./runtime.js";
import * as functions from "./workflow.functions.js";

/** The members of the workflow data that the workflow uses. */
export type Params = { readonly error?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "9678e2b1589d8a1b",
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
    // total (Let state)
    let total: Json = 0;
    // items (Let state)
    let items: Json = [];
    // add (Task state)
    const add = await flow.step("add", () =>
      functions.add({ params, variables: { items, total } }),
    );
    params = add.params! as Params;
    items = add.variables!.items ?? null;
    total = add.variables!.total ?? null;
    if (params.error === undefined) {
      // again (Task state)
      const again = await flow.step("again", () =>
        functions.again({ params, variables: { items, total } }),
      );
      params = again.params! as Params;
      items = again.variables!.items ?? null;
      total = again.variables!.total ?? null;
      if (params.error === undefined) {
        // hide (Let state)
        const total2 = "hidden";
        // inside (Task state)
        const inside = await flow.compute("inside", () =>
          functions.inside({ params, variables: { total: total2 } }),
        );
        params = inside.params! as Params;
        if (params.error === undefined) {
          // show (End state)
          // sum (Task state)
          params = (await flow.compute("sum", () =>
            functions.sum({ params, variables: { items, total } }),
          )) as Params;
          if (params.error === undefined) {
            // endItems (End state)
            // end (End state)
            // gone (Task state)
            params = (await flow.step("gone", () => functions.gone(params))) as Params;
            if (params.error === undefined) {
              // stop (Pass state)
              return params;
            }
          }
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
