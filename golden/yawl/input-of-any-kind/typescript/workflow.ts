// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  has,
  plus,
  typeOf,
} from "./runtime/index.ts";
import { loadValue } from "./workflow.expressions.ts";

/** What the workflow calls. */
export interface Functions {
  load(argument: Json, step: Step): Promise<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "594de32ed865b054",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state =
      typeOf(state) === "object"
        ? has(state, "input")
          ? state
          : plus(state, { input: state })
        : { input: state };
    // load (httpCall step)
    const load = await flow.step("load", (step) => fn.load(loadValue(state), step), {
      timeout: 900,
    });
    return { order: load };
  },
});
