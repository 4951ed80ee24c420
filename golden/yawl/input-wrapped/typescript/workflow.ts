// workflow 0.1, from yawl. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow, plus, typeOf } from "./runtime.js";

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "510c52dee4fa1401",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (_flow: Flow, _fn: object, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? plus(state, { input: state }) : { input: state };
    // keep (noOp step)
    return state;
  },
});
