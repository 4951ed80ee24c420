// Seasonal 1.0, from serverless-workflow. Change the definition, not this file.
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
  greet(argument: Json, step: Step): Answer<Json>;
}

/** Seasonal */
export const seasonal = defineWorkflow({
  id: "seasonal",
  version: "0791f53e04e9b071",
  name: "Seasonal",
  start: { window: { from: "2026-12-01T00:00:00Z", until: "2026-12-31T00:00:00Z" } },
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Greet (operation state)
    const greet = await flow.step("Greet", (step) => fn.greet(data, step));
    data = assignResult(data, greet, "greet");
    return data;
  },
});
