// workflow 1.0, from composer-fsm. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow } from "./runtime.js";

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "6fa5f04c64f9aeca",
  name: "workflow",
  run: async (_flow: Flow, _fn: object, params: Json): Promise<Json> => {
    // number (Task state)
    // first (Push state)
    // list (Task state)
    // second (Pop state)
    // try (Try state)
    // keep (Push state)
    // fail (Task state)
    let params2: Json = { error: false };
    // both (Push state)
    const pushed: Json = params2;
    // nothing (Task state)
    params2 = { value: null };
    // done2 (Pop state)
    params2 = { result: params2, params: pushed };
    // done (Pass state)
    return params2;
  },
});
