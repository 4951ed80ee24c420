// No default, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, WorkflowError, defineWorkflow } from "./runtime/index.ts";
import { merge, present, satisfies } from "./strict.expressions.js";

/** What the workflow calls. */
export interface Functions {
}

/** The data of the workflow, as far as it is looked at. */
export type Data = { readonly kind?: Json; readonly [member: string]: Json | undefined };

/** No default */
export const strict = defineWorkflow({
  id: "strict",
  version: "5866299115c9a297",
  name: "No default",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Which (switch state)
    if (satisfies(present(data?.kind), "equals", "a")) {
      // A (inject state)
      data = merge(data, { was: "a" });
      return data;
    }
    throw new WorkflowError("NoChoiceMatched", "No condition of switch state Which holds, and it has no default.", { origin: "noMatch" });
  },
});
