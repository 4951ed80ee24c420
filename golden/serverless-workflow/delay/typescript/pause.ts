// Two pauses, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow } from "./runtime/index.ts";

/** What the workflow calls. */
export interface Functions {
}

/** Two pauses */
export const pause = defineWorkflow({
  id: "pause",
  version: "0dc2ee6a11e73376",
  name: "Two pauses",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Short (delay state)
    await flow.sleep("Short", 15);
    // Long (delay state)
    await flow.sleep("Long", 93_600);
    return data;
  },
});
