// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  get,
  isLessOrEqual,
  plus,
  typeOf,
} from "./runtime/index.ts";
import { multiply, priceIterateValue } from "./workflow.expressions.ts";

/** What the workflow calls. */
export interface Functions {
  fetch(argument: { readonly page: Json; readonly rate: Json }, step: Step): Promise<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "833bb3fd7b2fc0f3",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    // rate (noOp step)
    state = plus(state, { rate: 2 });
    // price (foreach step)
    const global = state;
    const priceResults = await flow.forEach(
      "price/iterate",
      priceIterateValue(state) as readonly Json[],
      (_flow, element) => priceIterate(element, global),
      { width: 1 },
    );
    state = plus(state, { priced: priceResults });
    // pages (while step)
    let round: Json = { page: 0 };
    let counter = 0;
    let looped: Json = {};
    while (true) {
      ({ counter, round, looped } = await flow.round("pages/test", { counter, round, looped }));
      if (counter < 2 && isLessOrEqual(counter, get(round, "page"))) {
        // fetch (functionCall step)
        const fetch = await flow.step(
          "fetch",
          (step) => fn.fetch({ page: get(round, "page"), rate: get(state, "rate") }, step),
          { timeout: 900 },
        );
        round = plus(round, { page: plus(get(fetch, "page"), 1) });
        const output = { page: plus(get(fetch, "page"), 1) };
        looped = output;
        counter += 1;
      } else {
        break;
      }
    }
    return { pages: get(looped, "page") };
  },
});

/** price, for each element */
async function priceIterate(element: Json, global: Json): Promise<Json> {
  const state = element;
  // multiply (noOp step)
  return multiply(global, state);
}
