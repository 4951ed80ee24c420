// A flow with a subflow 1.0, from serverless-workflow. Change the definition, not this file.
import { child } from "./child.ts";
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
  after(argument: Json, step: Step): Answer<Json>;
}

/** A flow with a subflow */
export const parent = defineWorkflow({
  id: "parent",
  version: "70d8ca2434f9186e",
  name: "A flow with a subflow",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Sub (subflow state)
    const subResult = await flow.invoke("Sub", child, data, { terminates: true });
    data = assign(data, subResult);
    // After (operation state)
    const after = await flow.step("After", (step) => fn.after(data, step));
    data = assignResult(data, after, "after");
    return data;
  },
});
