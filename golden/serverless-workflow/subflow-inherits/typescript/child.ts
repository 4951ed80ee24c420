// A child without 1.0, from serverless-workflow. Change the definition, not this file.
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
  work(argument: { readonly n: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly n?: Json; readonly [member: string]: Json | undefined };

/** A child without */
export const child = defineWorkflow({
  id: "child",
  version: "10665b2197c3c052",
  name: "A child without",
  events: { Done: { type: "work.done", source: "/work" } },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Work (operation state)
    const work = await flow.step("Work", (step) => fn.work({ n: data.n ?? null }, step));
    data = assignResult(data, work, "work");
    await flow.emit("Work/emit", "Done", data.n ?? null);
    return data;
  },
});
