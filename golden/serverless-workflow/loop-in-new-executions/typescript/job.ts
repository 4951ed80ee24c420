// Job 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
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
export type Data = { readonly status?: Json; readonly [member: string]: Json | undefined };

/** Job */
export const job = defineWorkflow({
  id: "job",
  version: "b0ab3ad6a3947a68",
  name: "Job",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    do {
      ({ data } = await flow.round("Pause", { data }));
      // Pause (delay state)
      await flow.sleep("Pause", 60);
      // Ask (operation state)
      const ask = await flow.step("Ask", (step) => fn.ask(data, step));
      data = assignResult(data, ask, "ask");
      // Ready (switch state)
    } while (data.status !== "ready");
    // Done (inject state)
    data = assign(data, { done: true });
    return data;
  },
});
