// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  get,
  mergeOutput,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  count(argument: Json, step: Step): Answer<Json>;
  quote(argument: Json, step: Step): Answer<Json>;
  offer(
    argument: { readonly left: Json; readonly price: Json; readonly currency: Json },
    step: Step,
  ): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type State = {
  readonly stock?: { readonly left?: Json; readonly [member: string]: Json | undefined };
  readonly price?: { readonly amount?: Json; readonly [member: string]: Json | undefined };
  readonly currency?: Json;
  readonly [member: string]: Json | undefined;
};

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "4cae1600b7090070",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    // ask (parallel step)
    const askResults = await flow.fork("ask", {
      stock: (flow) => askStock(flow, fn, state),
      price: (flow) => askPrice(flow, fn, state),
    });
    state = mergeOutput(state, askResults);
    // offer (functionCall step)
    const offer = await flow.step(
      "offer",
      (step) =>
        fn.offer(
          {
            left: state.stock!.left ?? null,
            price: state.price!.amount ?? null,
            currency: state.currency ?? null,
          },
          step,
        ),
      { timeout: 900 },
    );
    return { offer: get(offer, "id") };
  },
});

/** ask / stock */
async function askStock(flow: Flow, fn: Functions, state: State): Promise<Json> {
  // count (functionCall step)
  const count = await flow.step("count", (step) => fn.count(state, step), { timeout: 900 });
  return { left: get(count, "n") };
}

/** ask / price */
async function askPrice(flow: Flow, fn: Functions, state: State): Promise<Json> {
  // convert (noOp step)
  state = mergeOutput(state, { currency: "EUR" });
  // quote (functionCall step)
  const quote = await flow.step("quote", (step) => fn.quote(state, step), { timeout: 900 });
  return mergeOutput(state, quote);
}
