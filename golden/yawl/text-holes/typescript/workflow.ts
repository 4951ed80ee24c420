// workflow 0.1, from yawl. Change the definition, not this file.
import { type Flow, type Json, type Step, defineWorkflow, typeOf } from "./runtime/index.ts";
import { announceValue } from "./workflow.expressions.ts";

/** What the workflow calls. */
export interface Functions {
  announce(argument: Json, step: Step): Promise<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "a48f5f35b0d32ab9",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    // announce (httpCall step)
    const announce = await flow.step(
      "announce",
      (step) => fn.announce(announceValue(state), step),
      { timeout: 900 },
    );
    return { noted: announce };
  },
});
