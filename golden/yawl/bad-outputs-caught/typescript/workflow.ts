// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  elements,
  get,
  plus,
  raise,
  toText,
  typeOf,
} from "./runtime/index.ts";

/** What the workflow calls. */
export interface Functions {
  read(argument: { readonly object: Json }, step: Step): Promise<Json>;
  show(argument: Json, step: Step): Promise<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "d4b4421231d448ef",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    toShow: {
      // read (objectStorage step)
      try {
        await flow.attempt(
          "read",
          async (flow) => {
            const objectStorage = await flow.step(
              "read/objectStorage",
              (step) => fn.read({ object: `carts/${toText(get(state, "cart"))}.json` }, step),
              { timeout: 900 },
            );
            state = plus(state, {
              lines: elements(get(get(objectStorage, "Content"), "lines")).map((item) =>
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
        state = plus(state, { lines: [], why: error.name });
        break toShow;
      }
    }
    // show (functionCall step)
    const show = await flow.step("show", (step) => fn.show(state, step), { timeout: 900 });
    return typeOf(show) === "object"
      ? plus(state, show)
      : raise({
          name: "STEP_INVALID_OUTPUT",
          message: "The output of a step has to be an object.",
        });
  },
});
