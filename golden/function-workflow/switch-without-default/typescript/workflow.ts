// workflow 0.1, from function-workflow. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow, errorOf } from "./runtime.js";

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly a?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "0c6d6648e59d4e38",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  run: async (_flow: Flow, _fn: object, data: Data): Promise<Json> => {
    // Look (switch state)
    if ((data?.a ?? null) === 1) {
      // Done (end state)
      return data;
    }
    throw errorOf({
      origin: "noMatch",
      name: "SYS.Fail",
      message: "No choice of switch state Look holds, and it has no default.",
    });
  },
});
