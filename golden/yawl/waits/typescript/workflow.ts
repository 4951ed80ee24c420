// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  get,
  plus,
  raise,
  toText,
  typeOf,
} from "./runtime/index.ts";

/** What the workflow calls. */
export interface Functions {
  call(argument: Json, step: Step): Promise<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "f72fecab8d15ee4a",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    // rest (wait step)
    await flow.sleep("rest", 90);
    // opening (wait step)
    await flow.sleepUntil("opening", toText(get(state, "opens")));
    // call (functionCall step)
    const call = await flow.step("call", (step) => fn.call(state, step), { timeout: 900 });
    state =
      typeOf(call) === "object"
        ? plus(state, call)
        : raise({
            name: "STEP_INVALID_OUTPUT",
            message: "The output of a step has to be an object.",
          });
    // short (wait step)
    await flow.sleep("short", 0);
    return state;
  },
});
