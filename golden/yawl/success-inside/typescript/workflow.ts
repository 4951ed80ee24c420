// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  RunEnd,
  type Step,
  defineWorkflow,
  mergeOutput,
  typeOf,
} from "./runtime.js";
import { found } from "./workflow.expressions.ts";

/** The functions that the workflow calls. */
export interface Functions {
  look(argument: Json, step: Step): Answer<Json>;
  report(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type State = { readonly found?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "9bef80da4aefb81f",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    // note (noOp step)
    state = mergeOutput(state, { seen: true });
    // search (parallel step)
    const global: Json = state;
    const searchResults = await flow.fork("search/branches", {
      near: (flow) => searchBranchesNear(flow, fn, global, state),
    });
    state = mergeOutput(state, searchResults);
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
  state: State,
): Promise<Json> {
  // look (functionCall step)
  const look = await flow.step("look", (step) => fn.look(state, step), { timeout: 900 });
  state = mergeOutput(state, look);
  // found (switch step)
  if (found(state) === true) {
    // enough (success step)
    throw new RunEnd({ value: global });
  }
  // nothing (noOp step)
  return state;
}
