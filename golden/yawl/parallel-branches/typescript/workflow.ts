// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  get,
  plus,
  raise,
  typeOf,
} from "./runtime/index.ts";

/** What the workflow calls. */
export interface Functions {
  count(argument: Json, step: Step): Promise<Json>;
  offer(
    argument: { readonly left: Json; readonly price: Json; readonly currency: Json },
    step: Step,
  ): Promise<Json>;
  quote(argument: Json, step: Step): Promise<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "57d6e6eb767be6c2",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    // ask (parallel step)
    const askResults = await flow.fork("ask", {
      stock: (flow) => askStock(flow, fn, state),
      price: (flow) => askPrice(flow, fn, state),
    });
    state = plus(state, askResults);
    // offer (functionCall step)
    const offer = await flow.step(
      "offer",
      (step) =>
        fn.offer(
          {
            left: get(get(state, "stock"), "left"),
            price: get(get(state, "price"), "amount"),
            currency: get(state, "currency"),
          },
          step,
        ),
      { timeout: 900 },
    );
    return { offer: get(offer, "id") };
  },
});

/** ask / stock */
async function askStock(flow: Flow, fn: Functions, state: Json): Promise<Json> {
  // count (functionCall step)
  const count = await flow.step("count", (step) => fn.count(state, step), { timeout: 900 });
  return { left: get(count, "n") };
}

/** ask / price */
async function askPrice(flow: Flow, fn: Functions, state: Json): Promise<Json> {
  // convert (noOp step)
  state = plus(state, { currency: "EUR" });
  // quote (functionCall step)
  const quote = await flow.step("quote", (step) => fn.quote(state, step), { timeout: 900 });
  return typeOf(quote) === "object"
    ? plus(state, quote)
    : raise({ name: "STEP_INVALID_OUTPUT", message: "The output of a step has to be an object." });
}
