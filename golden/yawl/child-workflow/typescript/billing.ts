// billing 0.1, from yawl. Change the definition, not this file.
import {
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  errorOf,
  get,
  plus,
  raise,
  typeOf,
} from "./runtime/index.ts";

/** What the workflow calls. */
export interface Functions {
  number(argument: Json, step: Step): Promise<Json>;
}

/** billing */
export const billing = defineWorkflow({
  id: "billing",
  version: "203b0979bbb45020",
  name: "billing",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    // look (switch step)
    if (get(state, "order") === "") {
      // nothing (fail step)
      throw errorOf({ origin: "fail", name: "STEP_FAIL", message: "There is nothing to bill." });
    }
    // number (functionCall step)
    const number = await flow.step("number", (step) => fn.number(state, step), { timeout: 900 });
    return typeOf(number) === "object"
      ? plus(state, number)
      : raise({
          name: "STEP_INVALID_OUTPUT",
          message: "The output of a step has to be an object.",
        });
  },
});
