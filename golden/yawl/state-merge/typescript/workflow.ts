// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  get,
  mergeOutput,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  reserve(argument: Json, step: Step): Answer<Json>;
  price(argument: Json, step: Step): Answer<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "b13c46ee5c4ad9d1",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    // reserve (functionCall step)
    const reserve = await flow.step("reserve", (step) => fn.reserve(state, step), { timeout: 900 });
    state = mergeOutput(state, {
      order: { id: get(reserve, "id"), reserved: true },
      stock: get(reserve, "left"),
    });
    // price (functionCall step)
    const price = await flow.step("price", (step) => fn.price(state, step), { timeout: 900 });
    return mergeOutput(state, price);
  },
});
