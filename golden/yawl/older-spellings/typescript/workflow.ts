// workflow 1.0, from yawl. Change the definition, not this file.
import {
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  errorOf,
  get,
  plus,
  raise,
  toText,
  typeOf,
} from "./runtime/index.ts";

/** What the workflow calls. */
export interface Functions {
  mail(argument: { readonly destination: Json; readonly simple: Json }, step: Step): Promise<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "2fc3ab5b77252449",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    // rounds (while step)
    const round =
      typeOf(state) === "object"
        ? state
        : raise({
            name: "STEP_INVALID_ARGUMENT",
            message: "The input of while step rounds is not an object.",
          });
    let counter = 0;
    let looped: Json = {};
    while (true) {
      ({ counter, looped } = await flow.round("rounds/test", { counter, looped }));
      if (counter < 2) {
        // rest (wait step)
        await flow.sleep("rest", 1);
        looped = round;
        counter += 1;
      } else {
        break;
      }
    }
    state = plus(state, looped);
    // mail (postbox step)
    await flow.step(
      "mail",
      (step) =>
        fn.mail(
          {
            destination: {
              toAddresses: [toText(get(state, "mail"))],
              ccAddresses: ["desk@example.com"],
            },
            simple: {
              subject: { data: `Order ${toText(get(state, "id"))}` },
              body: { text: { data: "Thanks." } },
            },
          },
          step,
        ),
      { timeout: 900 },
    );
    state = plus(state, { mailed: true });
    // over (fail step)
    throw errorOf({
      origin: "fail",
      name: "STEP_FAIL",
      message: `Order ${toText(get(state, "id"))} is void.`,
    });
  },
});
