// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  errorOf,
  isGreaterOrEqual,
  typeOf,
} from "./runtime.js";
import { route } from "./workflow.expressions.ts";

/** The functions that the workflow calls. */
export interface Functions {
  manager(argument: Json, step: Step): Answer<Json>;
  clerk(argument: Json, step: Step): Answer<Json>;
  machine(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type State = { readonly total?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "7cc2e980fb89a2d5",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    // route (switch step)
    if (isGreaterOrEqual(state.total ?? null, 1000)) {
      // manager (functionCall step)
      await flow.step("manager", (step) => fn.manager(state, step), { timeout: 900 });
      return { by: "manager" };
    }
    if (isGreaterOrEqual(state.total ?? null, 100)) {
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
