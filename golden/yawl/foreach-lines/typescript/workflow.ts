// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  elements,
  get,
  plus,
  typeOf,
} from "./runtime/index.ts";
import { pickValue } from "./workflow.expressions.ts";

/** What the workflow calls. */
export interface Functions {
  find(argument: Json, step: Step): Promise<Json>;
  pack(argument: Json, step: Step): Promise<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "d2654bf4a590440a",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    // pick (foreach step)
    const pickResults = await flow.forEach(
      "pick",
      pickValue(state) as readonly Json[],
      (flow, element) => pick(flow, fn, element),
      { width: 2 },
    );
    state = plus(state, { picked: elements(pickResults).map((item) => get(item, "place")) });
    // pack (functionCall step)
    const pack = await flow.step("pack", (step) => fn.pack(get(state, "picked"), step), {
      timeout: 900,
    });
    return { parcel: get(pack, "id") };
  },
});

/** pick, for each element */
async function pick(flow: Flow, fn: Functions, element: Json): Promise<Json> {
  let state: Json = element;
  // find (functionCall step)
  const find = await flow.step("find", (step) => fn.find(state, step), { timeout: 900 });
  state = plus(state, { place: get(find, "shelf") });
  // note (noOp step)
  return state;
}
