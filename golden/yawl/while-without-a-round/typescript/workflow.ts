// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  get,
  isGreater,
  plus,
  raise,
  typeOf,
} from "./runtime/index.ts";

/** What the workflow calls. */
export interface Functions {
  report(argument: Json, step: Step): Promise<Json>;
  take(argument: Json, step: Step): Promise<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "2a20cdc232a84c92",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    // drain (while step)
    let round: Json =
      typeOf(state) === "object"
        ? state
        : raise({
            name: "STEP_INVALID_ARGUMENT",
            message: "The input of while step drain is not an object.",
          });
    let counter = 0;
    let looped: Json = {};
    while (true) {
      ({ round, counter, looped } = await flow.round("drain/test", { round, counter, looped }));
      if (isGreater(get(round, "left"), 0)) {
        // take (functionCall step)
        const take = await flow.step("take", (step) => fn.take(round, step), { timeout: 900 });
        round =
          typeOf(take) === "object"
            ? plus(round, take)
            : raise({
                name: "STEP_INVALID_OUTPUT",
                message: "The output of a step has to be an object.",
              });
        looped = round;
        counter += 1;
      } else {
        break;
      }
    }
    state = plus(state, looped);
    // report (functionCall step)
    const report = await flow.step("report", (step) => fn.report(state, step), { timeout: 900 });
    return typeOf(report) === "object"
      ? plus(state, report)
      : raise({
          name: "STEP_INVALID_OUTPUT",
          message: "The output of a step has to be an object.",
        });
  },
});
