// Transitions by id 1.0, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, assign, defineWorkflow } from "./runtime.js";

/** Transitions by id */
export const byId = defineWorkflow({
  id: "by-id",
  version: "aba620a6f8d664d0",
  name: "Transitions by id",
  run: async (_flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // First (inject state)
    data = assign(data, { a: 1 });
    // Second (inject state)
    data = assign(data, { b: 2 });
    // Third (inject state)
    data = assign(data, { c: 3 });
    return data;
  },
});
