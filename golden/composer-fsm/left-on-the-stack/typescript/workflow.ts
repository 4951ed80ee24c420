// workflow 1.0, from composer-fsm. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow, errorOf } from "./runtime.js";
import { sum as sum2 } from "./workflow.functions.js";

/** The members of the workflow data that the workflow uses. */
export type Params = { readonly error?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "675238179b709fad",
  name: "workflow",
  run: async (flow: Flow, _fn: object, params: Params): Promise<Json> => {
    // try (Try state)
    // let (Let state)
    const tax = 0.25;
    // keep (Push state)
    // sum (Task state)
    const sum = await flow.step("sum", () => sum2({ params, variables: { tax } }));
    params = (sum?.params ?? null) as Params;
    if (params?.error !== undefined) {
      params = { error: params.error ?? null } as Params;
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
      return params;
    }
    // done (Pass state)
    return params;
  },
});
