// payment 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  mergeOutput,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  charge(argument: { readonly url: Json }, step: Step): Answer<Json>;
}

/** payment */
export const payment = defineWorkflow({
  id: "payment",
  version: "214981c264fef922",
  name: "payment",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    // charge (httpCall step)
    const charge = await flow.step(
      "charge",
      (step) => fn.charge({ url: "https://pay.example.com/charge" }, step),
      { timeout: 10 },
    );
    state = mergeOutput(state, charge);
    // done (success step)
    return state;
  },
});
