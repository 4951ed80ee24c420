// Transitions by id 1.0, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow, merge } from "./runtime.js";

/** Transitions by id */
export const byId = defineWorkflow({
  id: "by-id",
  version: "a3761700bcb6e88a",
  name: "Transitions by id",
  run: async (_flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // First (inject state)
    data = merge(data, { a: 1 });
    // Second (inject state)
    data = merge(data, { b: 2 });
    // Third (inject state)
    data = merge(data, { c: 3 });
    return data;
  },
});
