// Nobody waits 1.0, from serverless-workflow. Change the definition, not this file.
import { child } from "./child.ts";
import { type Flow, type Json, defineWorkflow } from "./runtime.js";

/** Nobody waits */
export const parent = defineWorkflow({
  id: "parent",
  version: "90be342f04fe9c38",
  name: "Nobody waits",
  run: async (flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // Sub (subflow state)
    await flow.launch("Sub", child, data);
    // On (delay state)
    await flow.sleep("On", 1);
    return data;
  },
});
