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
  raise,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  order(argument: Json, step: Step): Answer<Json>;
  weigh(argument: Json, step: Step): Answer<Json>;
  ship(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type State = { readonly lines?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "d411da2e31cf7521",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    // order (functionCall step)
    const order = await flow.step("order", (step) => fn.order(state, step), { timeout: 900 });
    state = mergeOutput(state, order);
    typeOf(order) === "object"
      ? order
      : raise({
          name: "STEP_INVALID_OUTPUT",
          message: "The output of a step has to be an object.",
        });
    // lines (foreach step)
    const items = state.lines ?? null;
    const linesResults = await flow.forEach(
      "lines",
      Array.isArray(items)
        ? elementsOf(items).map((item) => 
            typeOf(item) === "object"
              ? item
              : raise({
                  name: "STEP_INVALID_ARGUMENT",
                  message: "The input of foreach step lines is not an array of objects.",
                }),
          )
        : raise({
            name: "STEP_INVALID_ARGUMENT",
            message: "The input of foreach step lines is not an array of objects.",
          }),
      (flow, element) => lines(flow, fn, element),
      { width: 1 },
    );
    state = mergeOutput(state, {
      weights: elementsOf(linesResults).map((item) => get(item, "kg")),
    });
    // ship (functionCall step)
    const ship = await flow.step("ship", (step) => fn.ship(state, step), { timeout: 900 });
    mergeOutput(state, ship);
    const last =
      typeOf(ship) === "object"
        ? ship
        : raise({
            name: "STEP_INVALID_OUTPUT",
            message: "The output of a step has to be an object.",
          });
    // over (success step)
    return last;
  },
});

/** lines, for each element */
async function lines(flow: Flow, fn: Functions, element: Json): Promise<Json> {
  const state = element as State;
  // weigh (functionCall step)
  const weigh = await flow.step("weigh", (step) => fn.weigh(state, step), { timeout: 900 });
  mergeOutput(state, weigh);
  const last2 =
    typeOf(weigh) === "object"
      ? weigh
      : raise({
          name: "STEP_INVALID_OUTPUT",
          message: "The output of a step has to be an object.",
        });
  // rest (wait step)
  await flow.sleep("rest", 1);
  return last2;
}
