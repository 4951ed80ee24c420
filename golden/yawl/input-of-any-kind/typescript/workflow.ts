// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  has,
  plus,
  typeOf,
} from "./runtime.js";
import { loadValue } from "./workflow.expressions.ts";

/** The functions that the workflow calls. */
export interface Functions {
  load(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type State = { readonly input?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "7d9a9f207f3d402d",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    state = (
      typeOf(state) === "object"
        ? has(state, "input")
          ? state
          : plus(state, { input: state })
        : { input: state }
    ) as State;
    // load (httpCall step)
    const load = await flow.step("load", (step) => fn.load(loadValue(state), step), {
      timeout: 900,
    });
    return { order: load };
  },
});
