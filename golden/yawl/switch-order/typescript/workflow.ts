// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  errorOf,
  get,
  isGreaterOrEqual,
  typeOf,
} from "./runtime/index.ts";
import { route } from "./workflow.expressions.ts";

/** What the workflow calls. */
export interface Functions {
  clerk(argument: Json, step: Step): Promise<Json>;
  machine(argument: Json, step: Step): Promise<Json>;
  manager(argument: Json, step: Step): Promise<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "b8cfcec3dbfe3db5",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    // route (switch step)
    if (isGreaterOrEqual(get(state, "total"), 1000)) {
      // manager (functionCall step)
      await flow.step("manager", (step) => fn.manager(state, step), { timeout: 900 });
      return { by: "manager" };
    }
    if (isGreaterOrEqual(get(state, "total"), 100)) {
      // clerk (functionCall step)
      await flow.step("clerk", (step) => fn.clerk(state, step), { timeout: 900 });
      return { by: "clerk" };
    }
    if (route(state) === true) {
      // machine (functionCall step)
      await flow.step("machine", (step) => fn.machine(state, step), { timeout: 900 });
      return { by: "machine" };
    }
    throw errorOf({
      origin: "noMatch",
      name: "STEP_NO_CHOICE_MATCHED",
      message: "no condition is true, and there is no default",
    });
  },
});
