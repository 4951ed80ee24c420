// A branch ends the run, from serverless-workflow. Change the definition, not this file.
import { absorb, changes, merge } from "./abort.expressions.js";
import { type Flow, type Json, RunEnd, type Step, defineWorkflow } from "./runtime/index.ts";

/** What the workflow calls. */
export interface Functions {
  never(argument: Json, step: Step): Promise<Json>;
  slow(argument: Json, step: Step): Promise<Json>;
}

/** Both / Stop */
const bothStop = async (flow: Flow, data: Json): Promise<Json> => {
  // Wait (delay state)
  await flow.sleep("Wait", 1);
  // Now (inject state)
  data = merge(data, { stopped: true });
  throw new RunEnd({ value: data });
};

/** Both / Slow */
const bothSlow = async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
  // Slow (operation state)
  const slow = await flow.step("Slow", (step) => fn.slow(data, step));
  data = absorb(data, slow, "slow");
  return data;
};

/** A branch ends the run */
export const abort = defineWorkflow({
  id: "abort",
  version: "c2af74df24a9665d",
  name: "A branch ends the run",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Both (parallel state)
    const results = await flow.fork("Both", {
      Stop: (flow) => bothStop(flow, data),
      Slow: (flow) => bothSlow(flow, fn, data),
    });
    data = absorb(
      absorb(data, changes(results.Stop, data), "Stop"),
      changes(results.Slow, data),
      "Slow",
    );
    // Never (operation state)
    const never = await flow.step("Never", (step) => fn.never(data, step));
    data = absorb(data, never, "never");
    return data;
  },
});
