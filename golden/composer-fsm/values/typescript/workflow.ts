// workflow 1.0, from composer-fsm. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow } from "./runtime/index.ts";

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "0d447afc492637f8",
  name: "workflow",
  run: async (_flow: Flow, _fn: object, params: Json): Promise<Json> => {
    // number (Task state)
    let params2: Json = { value: 42 };
    // first (Push state)
    let pushed: Json = params2;
    // list (Task state)
    params2 = { value: [1, { a: null }] };
    // second (Pop state)
    params2 = { result: params2, params: pushed };
    // try (Try state)
    // keep (Push state)
    // fail (Task state)
    params2 = { error: false };
    // both (Push state)
    pushed = params2;
    // nothing (Task state)
    params2 = { value: null };
    // done2 (Pop state)
    params2 = { result: params2, params: pushed };
    // done (Pass state)
    return params2;
  },
});
