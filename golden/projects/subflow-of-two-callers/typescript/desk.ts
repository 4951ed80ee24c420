// Desk 1.0, from serverless-workflow. Change the definition, not this file.
import { check } from "./check.ts";
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
  pack(argument: Json, step: Step): Answer<Json>;
}

/** Desk */
export const desk = defineWorkflow({
  id: "desk",
  version: "e773a80c862239ff",
  name: "Desk",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Check (subflow state)
    const checkResult = await flow.invoke("Check", check, data, { terminates: true });
    data = assignResult(data, checkResult, "check");
    // Pack (operation state)
    const pack = await flow.step("Pack", (step) => fn.pack(data, step));
    data = assignResult(data, pack, "pack");
    return data;
  },
});
