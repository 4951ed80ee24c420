// A branch ends the run 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  RunEnd,
  type Step,
  assign,
  assignResult,
  defineWorkflow,
  difference,
  mergeResult,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  slow(argument: Json, step: Step): Answer<Json>;
  never(argument: Json, step: Step): Answer<Json>;
}

/** A branch ends the run */
export const abort = defineWorkflow({
  id: "abort",
  version: "b7781ffc7bf621e3",
  name: "A branch ends the run",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Both (parallel state)
    const bothResults = await flow.fork("Both", {
      Stop: (flow) => bothStop(flow, data),
      Slow: (flow) => bothSlow(flow, fn, data),
    });
    data = mergeResult(
      mergeResult(data, difference(bothResults.Stop, data), "Stop"),
      difference(bothResults.Slow, data),
      "Slow",
    );
    // Never (operation state)
    const never = await flow.step("Never", (step) => fn.never(data, step));
    data = assignResult(data, never, "never");
    return data;
  },
});

/** Both / Stop */
async function bothStop(flow: Flow, data: Json): Promise<Json> {
  // Wait (delay state)
  await flow.sleep("Wait", 1);
  // Now (inject state)
  data = assign(data, { stopped: true });
  throw new RunEnd({ value: data });
}

/** Both / Slow */
async function bothSlow(flow: Flow, fn: Functions, data: Json): Promise<Json> {
  // Slow (operation state)
  const slow = await flow.step("Slow", (step) => fn.slow(data, step));
  data = assignResult(data, slow, "slow");
  return data;
}
