// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  either,
  get,
  mergeOutput,
  plus,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  ask(argument: { readonly job: Json }, step: Step): Answer<Json>;
}

/** The members of `round` that the workflow uses. */
export type Round = {
  readonly status?: Json;
  readonly job?: Json;
  readonly tries?: Json;
  readonly [member: string]: Json | undefined;
};

/** The members of `looped` that the workflow uses. */
export type Looped = {
  readonly status?: Json;
  readonly tries?: Json;
  readonly [member: string]: Json | undefined;
};

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "bca9fc46d3d0bfc2",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    // poll (while step)
    let round: Round = state as Round;
    let counter = 0;
    let looped: Looped = {} as Looped;
    while (true) {
      ({ counter, round, looped } = await flow.round("poll/test", { counter, round, looped }));
      if (counter < 4 && either(round.status ?? null, "new") !== "done" && counter < 10) {
        round = {
          job: round.job ?? null,
          status: round.status ?? null,
          tries: either(round.tries ?? null, 0),
        } as Round;
        // ask (functionCall step)
        const ask = await flow.step("ask", (step) => fn.ask({ job: round.job ?? null }, step), {
          timeout: 900,
        });
        round = mergeOutput(round, { status: get(ask, "status") });
        // count (noOp step)
        round = mergeOutput(round, { tries: plus(round.tries!, 1) });
        // decide (switch step)
        if ((round.status ?? null) === "done") {
          // over (noOp step)
          looped = round as Looped;
          counter += 1;
        } else {
          // rest (wait step)
          await flow.sleep("rest", 30);
          looped = round as Looped;
          counter += 1;
        }
      } else {
        break;
      }
    }
    return { status: looped.status ?? null, tries: looped.tries ?? null };
  },
});
