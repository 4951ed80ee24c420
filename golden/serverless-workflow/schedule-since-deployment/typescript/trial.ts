// A month from deployment 1.0, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, assign, defineWorkflow } from "./runtime.js";

/** A month from deployment */
export const trial = defineWorkflow({
  id: "trial",
  version: "588c4aa2bf60f83e",
  name: "A month from deployment",
  start: { window: { from: "2026-01-31T00:00:00Z", until: "2026-02-28T00:00:00Z" } },
  run: async (_flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // Try (inject state)
    data = assign(data, { trial: true });
    return data;
  },
});
