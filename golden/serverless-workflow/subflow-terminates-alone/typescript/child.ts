// It ends itself 1.0, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow, merge } from "./runtime.js";

/** It ends itself */
export const child = defineWorkflow({
  id: "child",
  version: "f729b936ab281d25",
  name: "It ends itself",
  run: async (_flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // Stop (inject state)
    data = merge(data, { stopped: true });
    return data;
  },
});
