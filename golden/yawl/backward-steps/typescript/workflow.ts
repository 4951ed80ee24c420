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
import { decide } from "./workflow.expressions.ts";

/** The functions that the workflow calls. */
export interface Functions {
  ask(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type State = { readonly ready?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "00692d6221c16288",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    while (true) {
      ({ state } = await flow.round("ask", { state }));
      // ask (functionCall step)
      const ask = await flow.step("ask", (step) => fn.ask(state, step), { timeout: 900 });
      state = mergeOutput(state, ask);
      // decide (switch step)
      if (decide(state) === true) break;
      // rest (wait step)
      await flow.sleep("rest", 5);
    }
    // over (success step)
    return state;
  },
});
