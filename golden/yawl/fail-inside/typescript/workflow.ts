// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  errorOf,
  get,
  isLess,
  length,
  plus,
  raise,
  toText,
  typeOf,
} from "./runtime/index.ts";
import { checkValue } from "./workflow.expressions.ts";

/** What the workflow calls. */
export interface Functions {
  take(argument: Json, step: Step): Promise<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "8217f70d1e92dff2",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    // check (foreach step)
    const checkResults = await flow.forEach(
      "check",
      checkValue(state) as readonly Json[],
      (flow, element) => check(flow, fn, element),
      { width: 1 },
    );
    return { checked: length(checkResults) };
  },
});

/** check, for each element */
async function check(flow: Flow, fn: Functions, element: Json): Promise<Json> {
  const state = element;
  // look (switch step)
  if (isLess(get(state, "count"), 1)) {
    // refuse (fail step)
    throw errorOf({
      origin: "fail",
      name: "STEP_FAIL",
      message: `There is no ${toText(get(state, "item"))} left.`,
    });
  }
  // take (functionCall step)
  const take = await flow.step("take", (step) => fn.take(state, step), { timeout: 900 });
  return typeOf(take) === "object"
    ? plus(state, take)
    : raise({ name: "STEP_INVALID_OUTPUT", message: "The output of a step has to be an object." });
}
