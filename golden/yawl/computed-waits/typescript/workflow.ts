// workflow 0.1, from yawl. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow, typeOf } from "./runtime.js";
import { rest } from "./workflow.expressions.ts";

/** The members of the workflow data that the workflow uses. */
export type State = { readonly pause?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "0fd3b26af537fcc0",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, _fn: object, state: State): Promise<Json> => {
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    // rest (wait step)
    await flow.sleep("rest", Number(rest(state)));
    // done (noOp step)
    return { done: true };
  },
});
