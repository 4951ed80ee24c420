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
  typeOf,
} from "./runtime/index.ts";
import { linesValue } from "./workflow.expressions.ts";

/** What the workflow calls. */
export interface Functions {
  order(argument: Json, step: Step): Promise<Json>;
  ship(argument: Json, step: Step): Promise<Json>;
  weigh(argument: Json, step: Step): Promise<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "be48964dee53bedf",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    // order (functionCall step)
    const order = await flow.step("order", (step) => fn.order(state, step), { timeout: 900 });
    state =
      typeOf(order) === "object"
        ? plus(state, order)
        : raise({
            name: "STEP_INVALID_OUTPUT",
            message: "The output of a step has to be an object.",
          });
    typeOf(order) === "object"
      ? order
      : raise({
          name: "STEP_INVALID_OUTPUT",
          message: "The output of a step has to be an object.",
        });
    // lines (foreach step)
    const linesResults = await flow.forEach(
      "lines",
      linesValue(state) as readonly Json[],
      (flow, element) => lines(flow, fn, element),
      { width: 1 },
    );
    state = plus(state, { weights: elements(linesResults).map((item) => get(item, "kg")) });
    ({ weights: elements(linesResults).map((item) => get(item, "kg")) });
    // ship (functionCall step)
    const ship = await flow.step("ship", (step) => fn.ship(state, step), { timeout: 900 });
    typeOf(ship) === "object"
      ? plus(state, ship)
      : raise({
          name: "STEP_INVALID_OUTPUT",
          message: "The output of a step has to be an object.",
        });
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
  const state = element;
  // weigh (functionCall step)
  const weigh = await flow.step("weigh", (step) => fn.weigh(state, step), { timeout: 900 });
  typeOf(weigh) === "object"
    ? plus(state, weigh)
    : raise({ name: "STEP_INVALID_OUTPUT", message: "The output of a step has to be an object." });
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
