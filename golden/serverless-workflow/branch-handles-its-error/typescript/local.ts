// Handled where it happens 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignResult,
  defineWorkflow,
  difference,
  failure,
  mergeResult,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  risky(argument: Json, step: Step): Answer<Json>;
}

/** Handled where it happens */
export const local = defineWorkflow({
  id: "local",
  version: "5e7b811e6ac5ef43",
  name: "Handled where it happens",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Both (parallel state)
    const bothResults = await flow.fork("Both", {
      Risky: (flow) => bothRisky(flow, fn, data),
      Calm: (flow) => bothCalm(flow, data),
    });
    data = mergeResult(
      mergeResult(data, difference(bothResults.Risky, data), "Risky"),
      difference(bothResults.Calm, data),
      "Calm",
    );
    return data;
  },
});

/** Both / Risky */
async function bothRisky(flow: Flow, fn: Functions, data: Json): Promise<Json> {
  // Try (operation state)
  try {
    await flow.attempt("Try", async (flow) => {
      const risky = await flow.step("Try/risky", (step) => fn.risky(data, step));
      data = assignResult(data, risky, "risky");
    });
  } catch (caught) {
    const error = failure(caught);
    if (error.name !== "Busy") throw caught;
    data = assign(data, { message: error.message });
    // Excuse (inject state)
    data = assign(data, { excused: true });
    return data;
  }
  return data;
}

/** Both / Calm */
async function bothCalm(flow: Flow, data: Json): Promise<Json> {
  // Rest (delay state)
  await flow.sleep("Rest", 1);
  return data;
}
