// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  get,
  isGreater,
  mergeOutput,
  toText,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  mail(argument: { readonly to: Json; readonly subject: Json }, step: Step): Answer<Json>;
  thank(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type State = {
  readonly customer?: Json;
  readonly order?: Json;
  readonly [member: string]: Json | undefined;
};

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "43fb97a952415ca7",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    // mail (functionCall step)
    const mail = await flow.step(
      "mail",
      (step) =>
        fn.mail(
          {
            to: get(state.customer ?? null, "mail"),
            subject: `Order ${toText(get(state.order ?? null, "id"))}`,
          },
          step,
        ),
      { timeout: 900 },
    );
    state = mergeOutput(state, { sent: get(mail, "id") });
    // decide (switch step)
    if (isGreater(get(state.order ?? null, "total"), 100)) {
      // thank (functionCall step)
      const thank = await flow.step("thank", (step) => fn.thank(state, step), { timeout: 900 });
      state = mergeOutput(state, thank);
    }
    // done (noOp step)
    return state;
  },
});
