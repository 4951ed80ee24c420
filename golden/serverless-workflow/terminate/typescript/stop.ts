// Terminate at the top 1.0, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, assign, defineWorkflow } from "./runtime.js";

/** Terminate at the top */
export const stop = defineWorkflow({
  id: "stop",
  version: "d0d676efdfd005d8",
  name: "Terminate at the top",
  run: async (_flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // Stop (inject state)
    data = assign(data, { done: true });
    return data;
  },
});
