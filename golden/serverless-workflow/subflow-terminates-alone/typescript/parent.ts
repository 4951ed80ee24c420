// Nobody waits, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow } from "./runtime/index.ts";
import { child } from "./child.ts";

/** What the workflow calls. */
export interface Functions {
}

/** Nobody waits */
export const parent = defineWorkflow({
  id: "parent",
  version: "3c2c5966d820922b",
  name: "Nobody waits",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Sub (subflow state)
    await flow.launch("Sub", child, data);
    // On (delay state)
    await flow.sleep("On", 1);
    return data;
  },
});
