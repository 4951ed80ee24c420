// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Flow,
  type Json,
  type Step,
  add,
  defineWorkflow,
  elements,
  get,
  plus,
  raise,
  typeOf,
} from "./runtime/index.ts";

/** What the workflow calls. */
export interface Functions {
  cache(argument: Json, step: Step): Promise<Json>;
  index(argument: Json, step: Step): Promise<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "a6fca402f30f62d7",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    // warm (parallel step)
    const given = { region: get(state, "region") };
    const warmResults = await flow.fork(
      "warm/branches",
      {
        cache: (flow) => warmBranchesCache(flow, fn, given),
        index: (flow) => warmBranchesIndex(flow, fn, given),
      },
      { width: 1 },
    );
    return { warmed: add(elements(warmResults).map((item) => get(item, "ms"))) };
  },
});

/** warm / cache */
async function warmBranchesCache(flow: Flow, fn: Functions, given: Json): Promise<Json> {
  const state = given;
  // cache (functionCall step)
  const cache = await flow.step("cache", (step) => fn.cache(state, step), { timeout: 900 });
  return typeOf(cache) === "object"
    ? plus(state, cache)
    : raise({ name: "STEP_INVALID_OUTPUT", message: "The output of a step has to be an object." });
}

/** warm / index */
async function warmBranchesIndex(flow: Flow, fn: Functions, given: Json): Promise<Json> {
  const state = given;
  // index (functionCall step)
  const index = await flow.step("index", (step) => fn.index(state, step), { timeout: 900 });
  return typeOf(index) === "object"
    ? plus(state, index)
    : raise({ name: "STEP_INVALID_OUTPUT", message: "The output of a step has to be an object." });
}
