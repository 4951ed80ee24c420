// It ends itself 1.0, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, assign, defineWorkflow } from "./runtime.js";

/** It ends itself */
export const child = defineWorkflow({
  id: "child",
  version: "349323f155a0872d",
  name: "It ends itself",
  run: async (_flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // Stop (inject state)
    data = assign(data, { stopped: true });
    return data;
  },
});
