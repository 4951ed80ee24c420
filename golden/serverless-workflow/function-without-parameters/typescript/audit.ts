// Audit 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  record(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly entry?: Json; readonly [member: string]: Json | undefined };

/** Audit */
export const audit = defineWorkflow({
  id: "audit",
  version: "c84ceac727d4822d",
  name: "Audit",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Record (operation state)
    const record = await flow.step("Record", (step) =>
      fn.record(data.entry === undefined ? data : data.entry, step),
    );
    data = assignResult(data, record, "write");
    return data;
  },
});
