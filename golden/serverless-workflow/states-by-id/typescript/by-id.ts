// Transitions by id, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow } from "./runtime/index.ts";
import { merge } from "./by-id.expressions.js";

/** What the workflow calls. */
export interface Functions {
}

/** Transitions by id */
export const byId = defineWorkflow({
  id: "by-id",
  version: "d1a603db62305741",
  name: "Transitions by id",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // First (inject state)
    data = merge(data, { a: 1 });
    // Second (inject state)
    data = merge(data, { b: 2 });
    // Third (inject state)
    data = merge(data, { c: 3 });
    return data;
  },
});
