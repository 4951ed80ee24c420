// workflow 0.1, from yawl. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow, raise, typeOf } from "./runtime.js";

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "4a809878f77f819f",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (_flow: Flow, _fn: object, state: Json): Promise<Json> => {
    state =
      typeOf(state) === "object"
        ? state
        : raise({ name: "INVALID_INPUT", message: "The input of a run has to be an object." });
    // keep (noOp step)
    return state;
  },
});
