// Outer 1.0, from serverless-workflow. Change the definition, not this file.
import { middle } from "./middle.ts";
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignResult,
  defineWorkflow,
} from "./runtime.js";
import { seasonal } from "./seasonal.ts";

/** The functions that the workflow calls. */
export interface Functions {
  after(argument: Json, step: Step): Answer<Json>;
}

/** Outer */
export const outer = defineWorkflow({
  id: "outer",
  version: "95a93bcb1846e84b",
  name: "Outer",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Seasonal (subflow state)
    const seasonalResult = await flow.invoke("Seasonal", seasonal, data, { terminates: true });
    data = assign(data, seasonalResult);
    // Middle (subflow state)
    const middleResult = await flow.invoke("Middle", middle, data, { terminates: true });
    data = assign(data, middleResult);
    // After (operation state)
    const after = await flow.step("After", (step) => fn.after(data, step));
    data = assignResult(data, after, "after");
    return data;
  },
});
