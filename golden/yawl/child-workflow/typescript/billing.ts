// billing 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  errorOf,
  mergeOutput,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  number(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type State = { readonly order?: Json; readonly [member: string]: Json | undefined };

/** billing */
export const billing = defineWorkflow({
  id: "billing",
  version: "8f0e1ec4fee02753",
  name: "billing",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    // look (switch step)
    if ((state.order ?? null) === "") {
      // nothing (fail step)
      throw errorOf({ origin: "fail", name: "STEP_FAIL", message: "There is nothing to bill." });
    }
    // number (functionCall step)
    const number = await flow.step("number", (step) => fn.number(state, step), { timeout: 900 });
    return mergeOutput(state, number);
  },
});
