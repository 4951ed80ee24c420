// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  memberOf,
  mergeOutput,
  minus,
  plus,
  times,
  toFinite,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  store(argument: { readonly big: Json; readonly sum: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type State = {
  readonly n?: Json;
  readonly nan?: Json;
  readonly [member: string]: Json | undefined;
};

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "3d6ba3861450ab95",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    // multiply (noOp step)
    state = mergeOutput(state, { big: toFinite(times(state.n ?? null, 10)), nan: toFinite(NaN) });
    // decide (switch step)
    if (
      minus(memberOf(state, "big") ?? null, memberOf(state, "big") ?? null) === 0 &&
      (state.nan ?? null) === null
    ) {
      // store (functionCall step)
      const store = await flow.step(
        "store",
        (step) =>
          fn.store(
            {
              big: memberOf(state, "big") ?? null,
              sum: toFinite(plus(memberOf(state, "big") ?? null, memberOf(state, "big") ?? null)),
            },
            step,
          ),
        { timeout: 900 },
      );
      return mergeOutput(state, store);
    }
    // kept (noOp step)
    return { kept: true };
  },
});
