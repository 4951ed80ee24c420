// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  elementsOf,
  errorOf,
  isLess,
  length,
  mergeOutput,
  raise,
  toText,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  take(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type State = {
  readonly count?: Json;
  readonly item?: Json;
  readonly lines?: Json;
  readonly [member: string]: Json | undefined;
};

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "3ab668e3cb933a63",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    // check (foreach step)
    const items = state.lines ?? null;
    const checkResults = await flow.forEach(
      "check",
      Array.isArray(items)
        ? elementsOf(items).map((item) => 
            typeOf(item) === "object"
              ? item
              : raise({
                  name: "STEP_INVALID_ARGUMENT",
                  message: "The input of foreach step check is not an array of objects.",
                }),
          )
        : raise({
            name: "STEP_INVALID_ARGUMENT",
            message: "The input of foreach step check is not an array of objects.",
          }),
      (flow, element) => check(flow, fn, element),
      { width: 1 },
    );
    return { checked: length(checkResults) };
  },
});

/** check, for each element */
async function check(flow: Flow, fn: Functions, element: Json): Promise<Json> {
  const state = element as State;
  // look (switch step)
  if (isLess(state.count ?? null, 1)) {
    // refuse (fail step)
    throw errorOf({
      origin: "fail",
      name: "STEP_FAIL",
      message: `There is no ${toText(state.item ?? null)} left.`,
    });
  }
  // take (functionCall step)
  const take = await flow.step("take", (step) => fn.take(state, step), { timeout: 900 });
  return mergeOutput(state, take);
}
