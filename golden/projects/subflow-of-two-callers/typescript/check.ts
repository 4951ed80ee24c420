// Check 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  RunEnd,
  type Step,
  assignResult,
  defineWorkflow,
  difference,
  mergeResult,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  look(argument: Json, step: Step): Answer<Json>;
}

/** Check */
export const check = defineWorkflow({
  id: "check",
  version: "e686b1104a564eb3",
  name: "Check",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Both (parallel state)
    const bothResults = await flow.fork("Both", {
      look: (flow) => bothLook(flow, fn, data),
      wait: (flow) => bothWait(flow, data),
    });
    data = mergeResult(
      mergeResult(data, difference(bothResults.look, data), "look"),
      difference(bothResults.wait, data),
      "wait",
    );
    return data;
  },
});

/** Both / look */
async function bothLook(flow: Flow, fn: Functions, data: Json): Promise<Json> {
  // Look (operation state)
  const look = await flow.step("Look", (step) => fn.look(data, step));
  data = assignResult(data, look, "look");
  throw new RunEnd({ value: data });
}

/** Both / wait */
async function bothWait(flow: Flow, data: Json): Promise<Json> {
  // Wait (delay state)
  await flow.sleep("Wait", 600);
  return data;
}
