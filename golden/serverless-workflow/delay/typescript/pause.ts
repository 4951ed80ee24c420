// Two pauses, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow } from "./runtime/index.ts";

/** Two pauses */
export const pause = defineWorkflow({
  id: "pause",
  version: "01f8a81e8db4d7fc",
  name: "Two pauses",
  run: async (flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // Short (delay state)
    await flow.sleep("Short", 15);
    // Long (delay state)
    await flow.sleep("Long", 93_600);
    return data;
  },
});
