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
  quote(argument: Json, step: Step): Answer<Json>;
  confirm(argument: Json, step: Step): Answer<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "01f281f98abc1dcc",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    let result!: Json;
    state = typeOf(state) === "object" ? state : { input: state };
    toConfirm: {
      // quote (functionCall step)
      try {
        result = (await flow.step("quote", (step) => fn.quote(state, step), {
          timeout: 5,
        })) as Json;
      } catch (caught) {
        const error = flow.failure(caught);
        if (!(error.origin === "timeout" || error.name === "STEP_TIMEOUT")) throw caught;
        state = mergeOutput(state, { price: null, why: error.name });
        break toConfirm;
      }
      state = mergeOutput(state, { price: get(result, "amount") });
    }
    // confirm (functionCall step)
    const confirm = await flow.step("confirm", (step) => fn.confirm(state, step), { timeout: 900 });
    return mergeOutput(state, confirm);
  },
});
