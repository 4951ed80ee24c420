// workflow 0.1, from yawl. Change the definition, not this file.
import { billing } from "./billing.ts";
import {
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  get,
  plus,
  raise,
  typeOf,
} from "./runtime/index.ts";

/** What the workflow calls. */
export interface Functions {
  ship(argument: Json, step: Step): Promise<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "268d148654245251",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    let result!: Json;
    state = typeOf(state) === "object" ? state : { input: state };
    toShip: {
      // bill (workflow step)
      try {
        result = await flow.invoke("bill", billing, { order: get(state, "id") }, { timeout: 900 });
      } catch (caught) {
        const error = flow.failure(caught);
        if (error.name !== "STEP_FAIL") throw caught;
        state = plus(state, { bill: null, why: error.message });
        break toShip;
      }
      state = plus(state, { bill: get(result, "number") });
    }
    // ship (functionCall step)
    const ship = await flow.step("ship", (step) => fn.ship(state, step), { timeout: 900 });
    return typeOf(ship) === "object"
      ? plus(state, ship)
      : raise({
          name: "STEP_INVALID_OUTPUT",
          message: "The output of a step has to be an object.",
        });
  },
});
