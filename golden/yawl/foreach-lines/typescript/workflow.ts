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
  find(argument: Json, step: Step): Answer<Json>;
  pack(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type State = {
  readonly lines?: Json;
  readonly picked?: Json;
  readonly [member: string]: Json | undefined;
};

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "8039f90267dbb24d",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    // pick (foreach step)
    const items = state.lines ?? null;
    const pickResults = await flow.forEach(
      "pick",
      Array.isArray(items)
        ? elementsOf(items).map((item) => 
            typeOf(item) === "object"
              ? item
              : raise({
                  name: "STEP_INVALID_ARGUMENT",
                  message: "The input of foreach step pick is not an array of objects.",
                }),
          )
        : raise({
            name: "STEP_INVALID_ARGUMENT",
            message: "The input of foreach step pick is not an array of objects.",
          }),
      (flow, element) => pick(flow, fn, element),
      { width: 2 },
    );
    state = mergeOutput(state, {
      picked: elementsOf(pickResults).map((item) => get(item, "place")),
    });
    // pack (functionCall step)
    const pack = await flow.step("pack", (step) => fn.pack(state.picked!, step), { timeout: 900 });
    return { parcel: get(pack, "id") };
  },
});

/** pick, for each element */
async function pick(flow: Flow, fn: Functions, element: Json): Promise<Json> {
  let state: State = element as State;
  // find (functionCall step)
  const find = await flow.step("find", (step) => fn.find(state, step), { timeout: 900 });
  state = mergeOutput(state, { place: get(find, "shelf") });
  // note (noOp step)
  return state;
}
