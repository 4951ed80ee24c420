// workflow 1.0, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  errorOf,
  mergeOutput,
  toText,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  mail(
    argument: { readonly fromAddress: Json; readonly destination: Json; readonly simple: Json },
    step: Step,
  ): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type State = {
  readonly mail?: Json;
  readonly id?: Json;
  readonly [member: string]: Json | undefined;
};

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "2863172034c503cb",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    // rounds (while step)
    const round: Json = state;
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
    state = mergeOutput(state, looped);
    // mail (postbox step)
    await flow.step(
      "mail",
      (step) =>
        fn.mail(
          {
            fromAddress: "shop@example.com",
            destination: {
              toAddresses: toText(state.mail ?? null),
              ccAddresses: ["desk@example.com"],
            },
            simple: {
              subject: { data: `Order ${toText(state.id ?? null)}`, charset: "UTF_8" },
              body: {
                text: { data: "Thanks.", charset: "UTF_8" },
                html: { data: "<p>Thanks.", charset: "UTF_8" },
              },
            },
          },
          step,
        ),
      { timeout: 900 },
    );
    state = mergeOutput(state, { mailed: true });
    // over (fail step)
    throw errorOf({
      origin: "fail",
      name: "STEP_FAIL",
      message: `Order ${toText(state.id ?? null)} is void.`,
    });
  },
});
