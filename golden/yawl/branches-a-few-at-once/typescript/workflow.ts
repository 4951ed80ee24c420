// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  add,
  defineWorkflow,
  elementsOf,
  get,
  mergeOutput,
  toFinite,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  cache(argument: Json, step: Step): Answer<Json>;
  index(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type State = { readonly region?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "78f509632c58bb88",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    // warm (parallel step)
    const given = { region: state.region ?? null };
    const warmResults = await flow.fork(
      "warm/branches",
      {
        cache: (flow) => warmBranchesCache(flow, fn, given),
        index: (flow) => warmBranchesIndex(flow, fn, given),
      },
      { width: 1 },
    );
    return { warmed: toFinite(add(elementsOf(warmResults).map((item) => get(item, "ms")))) };
  },
});

/** warm / cache */
async function warmBranchesCache(flow: Flow, fn: Functions, given: Json): Promise<Json> {
  const state = given as State;
  // cache (functionCall step)
  const cache = await flow.step("cache", (step) => fn.cache(state, step), { timeout: 900 });
  return mergeOutput(state, cache);
}

/** warm / index */
async function warmBranchesIndex(flow: Flow, fn: Functions, given: Json): Promise<Json> {
  const state = given as State;
  // index (functionCall step)
  const index = await flow.step("index", (step) => fn.index(state, step), { timeout: 900 });
  return mergeOutput(state, index);
}
