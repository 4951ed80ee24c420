// Two pauses 1.0, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow } from "./runtime.js";

/** Two pauses */
export const pause = defineWorkflow({
  id: "pause",
  version: "82ff5919432b3e9e",
  name: "Two pauses",
  run: async (flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // Short (delay state)
    await flow.sleep("Short", 15);
    // Long (delay state)
    await flow.sleep("Long", 93_600);
    return data;
  },
});
