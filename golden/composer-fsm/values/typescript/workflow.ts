// workflow 1.0, from composer-fsm. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow } from "./runtime/index.ts";

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "9b99bd8d3f49a286",
  name: "workflow",
  run: async (flow: Flow, _fn: object, params: Json): Promise<Json> => {
    let params2!: Json;
    let pushed!: Json;
    // number (Task state)
    params2 = { value: 42 };
    // first (Push state)
    pushed = params2;
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
