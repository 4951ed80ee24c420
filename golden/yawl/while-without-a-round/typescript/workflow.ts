// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  isGreater,
  mergeOutput,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  take(argument: Json, step: Step): Answer<Json>;
  report(argument: Json, step: Step): Answer<Json>;
}

/** The members of `round` that the workflow uses. */
export type Round = { readonly left?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "390d6489fb63630b",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    // drain (while step)
    let round: Round = state as Round;
    let counter = 0;
    let looped: Json = {};
    while (true) {
      ({ round, counter, looped } = await flow.round("drain/test", { round, counter, looped }));
      if (isGreater(round.left ?? null, 0)) {
        // take (functionCall step)
        const take = await flow.step("take", (step) => fn.take(round, step), { timeout: 900 });
        round = mergeOutput(round, take);
        looped = round;
        counter += 1;
      } else {
        break;
      }
    }
    state = mergeOutput(state, looped);
    // report (functionCall step)
    const report = await flow.step("report", (step) => fn.report(state, step), { timeout: 900 });
    return mergeOutput(state, report);
  },
});
