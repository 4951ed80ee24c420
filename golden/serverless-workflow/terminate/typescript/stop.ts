// Terminate at the top, from serverless-workflow. Change the definition, not this file.
import { merge } from "./stop.expressions.js";
import { type Flow, type Json, defineWorkflow } from "./runtime/index.ts";

/** Terminate at the top */
export const stop = defineWorkflow({
  id: "stop",
  version: "3521b5a8808e5380",
  name: "Terminate at the top",
  run: async (flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // Stop (inject state)
    data = merge(data, { done: true });
    return data;
  },
});
