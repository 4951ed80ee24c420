// Terminate at the top, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow } from "./runtime/index.ts";
import { merge } from "./stop.expressions.js";

/** What the workflow calls. */
export interface Functions {
}

/** Terminate at the top */
export const stop = defineWorkflow({
  id: "stop",
  version: "f62d145b2777f4b6",
  name: "Terminate at the top",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Stop (inject state)
    data = merge(data, { done: true });
    return data;
  },
});
