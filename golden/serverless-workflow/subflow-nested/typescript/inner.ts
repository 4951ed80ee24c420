// Inner 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  RunEnd,
  type Step,
  assign,
  assignResult,
  defineWorkflow,
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
  version: "602a687f29268ed5",
  name: "Inner",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Ask (operation state)
    const ask = await flow.step("Ask", (step) => fn.ask(data, step));
    data = assignResult(data, ask, "ask");
    // IsOver (switch state)
    if (data.over === "yes") {
      // Over (inject state)
      data = assign(data, { ended: true });
      throw new RunEnd({ value: data });
    }
    // Done (inject state)
    data = assign(data, { done: true });
    return data;
  },
});
