// Inner 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  RunEnd,
  type Step,
  defineWorkflow,
  equals,
  merge,
  mergeResult,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  ask(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly over?: Json; readonly [member: string]: Json | undefined };

/** Inner */
export const inner = defineWorkflow({
  id: "inner",
  version: "1fb5c6f1ef5e02b3",
  name: "Inner",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Ask (operation state)
    const ask = await flow.step("Ask", (step) => fn.ask(data, step));
    data = mergeResult(data, ask, "ask");
    // IsOver (switch state)
    if (equals(data.over, "yes")) {
      // Over (inject state)
      data = merge(data, { ended: true });
      throw new RunEnd({ value: data });
    }
    // Done (inject state)
    data = merge(data, { done: true });
    return data;
  },
});
