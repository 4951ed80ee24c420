// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  either,
  get,
  plus,
  typeOf,
} from "./runtime/index.ts";

/** What the workflow calls. */
export interface Functions {
  ask(argument: { readonly job: Json }, step: Step): Promise<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "aa8b4b8f46b9408f",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    // poll (while step)
    let round: Json = { job: get(state, "job"), tries: 0 };
    let counter = 0;
    let looped: Json = {};
    while (true) {
      ({ counter, round, looped } = await flow.round("poll/test", { counter, round, looped }));
      if (counter < 4 && either(get(round, "status"), "new") !== "done" && counter < 10) {
        // ask (functionCall step)
        const ask = await flow.step("ask", (step) => fn.ask({ job: get(round, "job") }, step), {
          timeout: 900,
        });
        round = plus(round, { status: get(ask, "status") });
        // count (noOp step)
        round = plus(round, { tries: plus(get(round, "tries"), 1) });
        // decide (switch step)
        if (get(round, "status") === "done") {
          // over (noOp step)
          looped = round;
          counter += 1;
        } else {
          // rest (wait step)
          await flow.sleep("rest", 30);
          looped = round;
          counter += 1;
        }
      } else {
        break;
      }
    }
    return { status: get(looped, "status"), tries: get(looped, "tries") };
  },
});
