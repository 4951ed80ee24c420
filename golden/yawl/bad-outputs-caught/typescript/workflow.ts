// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  elementsOf,
  get,
  mergeOutput,
  toText,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  read(
    argument: { readonly bucket: Json; readonly object: Json; readonly get: Json },
    step: Step,
  ): Answer<Json>;
  show(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type State = { readonly cart?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "dea95c3d74a30d1c",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    toShow: {
      // read (objectStorage step)
      try {
        await flow.attempt(
          "read",
          async (flow) => {
            const objectStorage = await flow.step(
              "read/objectStorage",
              (step) =>
                fn.read(
                  {
                    bucket: "shop",
                    object: `carts/${toText(state.cart ?? null)}.json`,
                    get: { contentType: "JSON" },
                  },
                  step,
                ),
              { timeout: 900 },
            );
            state = mergeOutput(state, {
              lines: elementsOf(get(get(objectStorage, "Content"), "lines")).map((item) =>
                get(item, "item"),
              ),
            });
          },
          {
            retries: [
              {
                when: (error) => error.name === "STEP_INVALID_TEMPLATE_EXPRESSION",
                limit: 1,
                base: 1,
              },
            ],
          },
        );
      } catch (caught) {
        const error = flow.failure(caught);
        if (error.name !== "STEP_INVALID_TEMPLATE_EXPRESSION") throw caught;
        state = mergeOutput(state, { lines: [], why: error.name });
        break toShow;
      }
    }
    // show (functionCall step)
    const show = await flow.step("show", (step) => fn.show(state, step), { timeout: 900 });
    return mergeOutput(state, show);
  },
});
