// No default 1.0, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, WorkflowError, assign, defineWorkflow } from "./runtime.js";

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly kind?: Json; readonly [member: string]: Json | undefined };

/** No default */
export const strict = defineWorkflow({
  id: "strict",
  version: "2cfed44c930efa5c",
  name: "No default",
  run: async (_flow: Flow, _fn: object, data: Data): Promise<Json> => {
    // Which (switch state)
    if (data.kind === "a") {
      // A (inject state)
      data = assign(data, { was: "a" });
      return data;
    }
    throw new WorkflowError(
      "NoChoiceMatched",
      "No condition of switch state Which holds, and it has no default.",
      { origin: "noMatch" },
    );
  },
});
