// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  RunEnd,
  type Step,
  defineWorkflow,
  length,
  mergeOutput,
  typeOf,
} from "./runtime.js";
import { decide, shelvesValue } from "./workflow.expressions.ts";

/** The functions that the workflow calls. */
export interface Functions {
  look(argument: Json, step: Step): Answer<Json>;
  report(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type State = { readonly found?: Json; readonly [member: string]: Json | undefined };

/** The members of `global` that the workflow uses. */
export type Global = { readonly shelves?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "6ceec0f0530576c9",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    // rooms (parallel step)
    const global = state as Global;
    const roomsResults = await flow.fork("rooms/branches", {
      cellar: (flow) => roomsBranchesCellar(flow, fn, global, state),
    });
    state = mergeOutput(state, roomsResults);
    // report (functionCall step)
    await flow.step("report", (step) => fn.report(state, step), { timeout: 900 });
    return { reported: true };
  },
});

/** rooms / cellar */
async function roomsBranchesCellar(
  flow: Flow,
  fn: Functions,
  global: Global,
  state: State,
): Promise<Json> {
  // shelves (foreach step)
  const shelvesResults = await flow.forEach(
    "shelves",
    shelvesValue(global) as readonly Json[],
    (flow, element) => shelves(flow, fn, element, global),
    { width: 1 },
  );
  return { looked: length(shelvesResults) };
}

/** shelves, for each element */
async function shelves(flow: Flow, fn: Functions, element: Json, global: Global): Promise<Json> {
  let state: State = element as State;
  // look (functionCall step)
  const look = await flow.step("look", (step) => fn.look(state, step), { timeout: 900 });
  state = mergeOutput(state, look);
  // decide (switch step)
  if (decide(state) === true) {
    // enough (success step)
    throw new RunEnd({ value: global });
  }
  // on (noOp step)
  return state;
}
