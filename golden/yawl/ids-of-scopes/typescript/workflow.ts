// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  mergeOutput,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  "both/left/notify"(argument: Json, step: Step): Answer<Json>;
  "both/right/notify"(argument: Json, step: Step): Answer<Json>;
  "only-here"(argument: Json, step: Step): Answer<Json>;
  notify(argument: Json, step: Step): Answer<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "c1a7327685daea81",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    // both (parallel step)
    const bothResults = await flow.fork("both", {
      left: (flow) => bothLeft(flow, fn, state),
      right: (flow) => bothRight(flow, fn, state),
    });
    state = mergeOutput(state, bothResults);
    // notify (functionCall step)
    const notify = await flow.step("notify", (step) => fn.notify(state, step), { timeout: 900 });
    return mergeOutput(state, notify);
  },
});

/** both / left */
async function bothLeft(flow: Flow, fn: Functions, state: Json): Promise<Json> {
  // notify (functionCall step)
  const notify = await flow.step("notify", (step) => fn["both/left/notify"](state, step), {
    timeout: 900,
  });
  return mergeOutput(state, notify);
}

/** both / right */
async function bothRight(flow: Flow, fn: Functions, state: Json): Promise<Json> {
  // notify (functionCall step)
  const notify = await flow.step("notify", (step) => fn["both/right/notify"](state, step), {
    timeout: 900,
  });
  state = mergeOutput(state, notify);
  // only-here (functionCall step)
  const onlyHere = await flow.step("only-here", (step) => fn["only-here"](state, step), {
    timeout: 900,
  });
  return mergeOutput(state, onlyHere);
}
