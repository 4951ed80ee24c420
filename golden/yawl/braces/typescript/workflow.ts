// workflow 0.2, from yawl. Change the definition, not this file.
import {
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  get,
  plus,
  typeOf,
} from "./runtime/index.ts";
import { tellEnd, tellValue } from "./workflow.expressions.ts";

/** What the workflow calls. */
export interface Functions {
  count(argument: { readonly of: Json }, step: Step): Promise<Json>;
  tell(argument: Json, step: Step): Promise<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "052c800cf5ebecab",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    // count (functionCall step)
    const count = await flow.step("count", (step) => fn.count({ of: get(state, "item") }, step), {
      timeout: 900,
    });
    state = plus(state, { left: get(count, "n") });
    // tell (httpCall step)
    const tell = await flow.step("tell", (step) => fn.tell(tellValue(state), step), {
      timeout: 900,
    });
    return tellEnd(tell);
  },
});
