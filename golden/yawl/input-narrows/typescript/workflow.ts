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
  toText,
  typeOf,
} from "./runtime/index.ts";

/** What the workflow calls. */
export interface Functions {
  mail(argument: { readonly to: Json; readonly subject: Json }, step: Step): Promise<Json>;
  thank(argument: Json, step: Step): Promise<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "1125e747c7a43f83",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    // mail (functionCall step)
    const mail = await flow.step(
      "mail",
      (step) =>
        fn.mail(
          {
            to: get(get(state, "customer"), "mail"),
            subject: `Order ${toText(get(get(state, "order"), "id"))}`,
          },
          step,
        ),
      { timeout: 900 },
    );
    state = plus(state, { sent: get(mail, "id") });
    // decide (switch step)
    if (isGreater(get(get(state, "order"), "total"), 100)) {
      // thank (functionCall step)
      const thank = await flow.step("thank", (step) => fn.thank(state, step), { timeout: 900 });
      state =
        typeOf(thank) === "object"
          ? plus(state, thank)
          : raise({
              name: "STEP_INVALID_OUTPUT",
              message: "The output of a step has to be an object.",
            });
    }
    // done (noOp step)
    return state;
  },
});
