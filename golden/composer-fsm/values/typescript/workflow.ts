// workflow 1.0, from composer-fsm. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow, deletePaths } from "./runtime.js";

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "675b48219161fa25",
  name: "workflow",
  run: async (_flow: Flow, _fn: object, params: Json): Promise<Json> => {
    deletePaths(params, [
      ["$config"],
      ["$activationId"],
      ["$invoke"],
      ["$sessionId"],
      ["$state"],
      ["$stack"],
      ["$blocking"],
    ]);
    // number (Task state)
    // first (Push state)
    // list (Task state)
    // second (Pop state)
    // try (Try state)
    // keep (Push state)
    // fail (Task state)
    params = { error: false };
    // both (Push state)
    const pushed: Json = params;
    // nothing (Task state)
    params = { value: null };
    // done2 (Pop state)
    params = { result: params, params: pushed };
    // done (Pass state)
    return params;
  },
});
