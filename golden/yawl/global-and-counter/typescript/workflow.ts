// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  either,
  elementsOf,
  get,
  isLessOrEqual,
  length,
  mergeOutput,
  plus,
  raise,
  times,
  toFinite,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  fetch(argument: { readonly page: Json; readonly rate: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type State = {
  readonly item?: Json;
  readonly net?: Json;
  readonly lines?: Json;
  readonly rate?: Json;
  readonly [member: string]: Json | undefined;
};

/** The members of `global` that the workflow uses. */
export type Global = {
  readonly rate?: Json;
  readonly lines?: Json;
  readonly [member: string]: Json | undefined;
};

/** The members of `round` that the workflow uses. */
export type Round = { readonly page?: Json; readonly [member: string]: Json | undefined };

/** The members of `looped` that the workflow uses. */
export type Looped = { readonly page?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "cad6054123352fb6",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    // rate (noOp step)
    state = mergeOutput(state, { rate: 2 });
    // price (foreach step)
    const global = state as Global;
    const items = state.lines ?? null;
    const priceResults = await flow.forEach(
      "price/iterate",
      Array.isArray(items)
        ? elementsOf(items).map((item) => 
            typeOf(item) === "object"
              ? item
              : raise({
                  name: "STEP_INVALID_ARGUMENT",
                  message: "The input of foreach step price is not an array of objects.",
                }),
          )
        : raise({
            name: "STEP_INVALID_ARGUMENT",
            message: "The input of foreach step price is not an array of objects.",
          }),
      (_flow, element) => priceIterate(element, global),
      { width: 1 },
    );
    state = mergeOutput(state, { priced: priceResults });
    // pages (while step)
    let round: Round = state as Round;
    let counter = 0;
    let looped: Looped = {} as Looped;
    while (true) {
      ({ counter, round, looped } = await flow.round("pages/test", { counter, round, looped }));
      if (counter < 2 && isLessOrEqual(counter, either(round.page ?? null, 0))) {
        round = { page: counter } as Round;
        // fetch (functionCall step)
        const fetch = await flow.step(
          "fetch",
          (step) => fn.fetch({ page: round.page!, rate: state.rate! }, step),
          { timeout: 900 },
        );
        round = mergeOutput(round, { page: plus(get(fetch, "page"), 1) });
        const output = { page: plus(get(fetch, "page"), 1) };
        looped = output as Looped;
        counter += 1;
      } else {
        break;
      }
    }
    return { pages: looped.page ?? null };
  },
});

/** price, for each element */
async function priceIterate(element: Json, global: Global): Promise<Json> {
  const state = element as State;
  // multiply (noOp step)
  return {
    item: state.item ?? null,
    price: toFinite(times(state.net ?? null, global.rate!)),
    of: length(global.lines ?? null),
  };
}
