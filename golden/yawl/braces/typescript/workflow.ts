// workflow 0.2, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  get,
  mergeOutput,
  toText,
  typeOf,
} from "./runtime.js";
import { tellEnd } from "./workflow.expressions.ts";

/** The functions that the workflow calls. */
export interface Functions {
  count(argument: { readonly of: Json }, step: Step): Answer<Json>;
  tell(
    argument: { readonly url: Json; readonly method: Json; readonly body: Json },
    step: Step,
  ): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type State = {
  readonly item?: Json;
  readonly room?: Json;
  readonly left?: Json;
  readonly [member: string]: Json | undefined;
};

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "c50e876fe114a731",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    // count (functionCall step)
    const count = await flow.step("count", (step) => fn.count({ of: state.item ?? null }, step), {
      timeout: 900,
    });
    state = mergeOutput(state, { left: get(count, "n") });
    // tell (httpCall step)
    const tell = await flow.step(
      "tell",
      (step) =>
        fn.tell(
          {
            url: `https://chat.example/${toText(state.room ?? null)}`,
            method: "POST",
            body: `There are ${toText(state.left ?? null)} of ${toText(state.item ?? null)} left: {"a":{"b":"}}"}}.`,
          },
          step,
        ),
      { timeout: 900 },
    );
    return tellEnd(tell);
  },
});
