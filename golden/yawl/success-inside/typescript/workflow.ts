// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Flow,
  type Json,
  RunEnd,
  type Step,
  defineWorkflow,
  plus,
  raise,
  typeOf,
} from "./runtime/index.ts";
import { found } from "./workflow.expressions.ts";

/** What the workflow calls. */
export interface Functions {
  look(argument: Json, step: Step): Promise<Json>;
  report(argument: Json, step: Step): Promise<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "9ca5dad7cbcc1228",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    // note (noOp step)
    state = plus(state, { seen: true });
    // search (parallel step)
    const global = state;
    const searchResults = await flow.fork("search/branches", {
      near: (flow) => searchBranchesNear(flow, fn, global, state),
    });
    state = plus(state, searchResults);
    // report (functionCall step)
    await flow.step("report", (step) => fn.report(state, step), { timeout: 900 });
    return { reported: true };
  },
});

/** search / near */
async function searchBranchesNear(
  flow: Flow,
  fn: Functions,
  global: Json,
  state: Json,
): Promise<Json> {
  // look (functionCall step)
  const look = await flow.step("look", (step) => fn.look(state, step), { timeout: 900 });
  state =
    typeOf(look) === "object"
      ? plus(state, look)
      : raise({
          name: "STEP_INVALID_OUTPUT",
          message: "The output of a step has to be an object.",
        });
  // found (switch step)
  if (found(state) === true) {
    // enough (success step)
    throw new RunEnd({ value: global });
  }
  // nothing (noOp step)
  return state;
}
