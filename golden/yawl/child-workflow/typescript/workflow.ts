// workflow 0.1, from yawl. Change the definition, not this file.
import { billing } from "./billing.ts";
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  get,
  mergeOutput,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  ship(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type State = { readonly id?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "21fedacb48df6c9e",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    let result!: Json;
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    toShip: {
      // bill (workflow step)
      try {
        result = await flow.invoke("bill", billing, { order: state.id ?? null }, { timeout: 900 });
      } catch (caught) {
        const error = flow.failure(caught);
        if (error.name !== "STEP_FAIL") throw caught;
        state = mergeOutput(state, { bill: null, why: error.message });
        break toShip;
      }
      state = mergeOutput(state, { bill: get(result, "number") });
    }
    // ship (functionCall step)
    const ship = await flow.step("ship", (step) => fn.ship(state, step), { timeout: 900 });
    return mergeOutput(state, ship);
  },
});
