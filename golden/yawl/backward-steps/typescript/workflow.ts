// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  plus,
  raise,
  typeOf,
} from "./runtime/index.ts";
import { decide } from "./workflow.expressions.ts";

/** What the workflow calls. */
export interface Functions {
  ask(argument: Json, step: Step): Promise<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "3bd7d8a95b8b7da6",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    while (true) {
      ({ state } = await flow.round("ask", { state }));
      // ask (functionCall step)
      const ask = await flow.step("ask", (step) => fn.ask(state, step), { timeout: 900 });
      state =
        typeOf(ask) === "object"
          ? plus(state, ask)
          : raise({
              name: "STEP_INVALID_OUTPUT",
              message: "The output of a step has to be an object.",
            });
      // decide (switch step)
      if (decide(state) === true) break;
      // rest (wait step)
      await flow.sleep("rest", 5);
    }
    // over (success step)
    return state;
  },
});
