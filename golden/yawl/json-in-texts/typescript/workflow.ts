// workflow 0.1, from yawl. Change the definition, not this file.
import { type Flow, type Json, type Step, defineWorkflow, plus, typeOf } from "./runtime/index.ts";
import { prepare } from "./workflow.expressions.ts";

/** What the workflow calls. */
export interface Functions {
  send(argument: Json, step: Step): Promise<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "edada56d2cff3094",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    // prepare (noOp step)
    state = prepare(state);
    // defaults (noOp step)
    state = plus(state, { channel: "mail", retries: 2 });
    // send (functionCall step)
    await flow.step("send", (step) => fn.send(state, step), { timeout: 900 });
    return { sent: true };
  },
});
