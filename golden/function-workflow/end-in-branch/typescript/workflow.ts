// workflow 0.1, from function-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  errorOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  work(argument: Json, step: Step): Answer<Json>;
  after(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly bad?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "c4b8c755c1ac5d8f",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Both (parallel state)
    const bothResults = await flow.fork("Both", {
      left: () => bothLeft(data),
      right: (flow) => bothRight(flow, fn, data),
    });
    data = [bothResults.left, bothResults.right] as Json as Data;
    // After (operation state)
    data = (await flow.step("After", (step) => fn.after(data, step))) as Json as Data;
    // Done (end state)
    return data;
  },
});

/** Both / left */
async function bothLeft(data: Data): Promise<Json> {
  // Look (switch state)
  if ((data?.bad ?? null) === true) {
    // Bad (end state)
    throw errorOf({ origin: "fail", name: "SYS.Fail", message: "Bad" });
  }
  // Good (end state)
  return data;
}

/** Both / right */
async function bothRight(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // Work (operation state)
  data = (await flow.step("Work", (step) => fn.work(data, step))) as Json as Data;
  return data;
}
