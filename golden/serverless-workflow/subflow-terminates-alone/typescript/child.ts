// It ends itself, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow } from "./runtime/index.ts";
import { merge } from "./child.expressions.js";

/** What the workflow calls. */
export interface Functions {
}

/** It ends itself */
export const child = defineWorkflow({
  id: "child",
  version: "57b73f7d6ae9e096",
  name: "It ends itself",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Stop (inject state)
    data = merge(data, { stopped: true });
    return data;
  },
});
