// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  mergeOutput,
  typeOf,
} from "./runtime.js";
import { opening } from "./workflow.expressions.ts";

/** The functions that the workflow calls. */
export interface Functions {
  call(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type State = { readonly opens?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "658699c99fd9ea41",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    // rest (wait step)
    await flow.sleep("rest", 90);
    // opening (wait step)
    await flow.sleepUntil("opening", opening(state));
    // call (functionCall step)
    const call = await flow.step("call", (step) => fn.call(state, step), { timeout: 900 });
    state = mergeOutput(state, call);
    // short (wait step)
    await flow.sleep("short", 0);
    return state;
  },
});
