// bill 0.1, from yawl. Change the definition, not this file.
import { check } from "./check.ts";
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
  ship(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type State = { readonly id?: Json; readonly [member: string]: Json | undefined };

/** bill */
export const bill = defineWorkflow({
  id: "bill",
  version: "6e114c358032d4c9",
  name: "bill",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    // check (workflow step)
    const checkResult = await flow.invoke(
      "check",
      check,
      { id: state.id ?? null },
      { timeout: 900 },
    );
    state = mergeOutput(state, checkResult);
    // ship (functionCall step)
    const ship = await flow.step("ship", (step) => fn.ship(state, step), { timeout: 900 });
    return mergeOutput(state, ship);
  },
});
