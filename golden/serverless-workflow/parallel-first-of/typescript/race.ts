// The first offer 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
  difference,
  mergeResult,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  quote(argument: { readonly from: Json }, step: Step): Answer<Json>;
}

/** The first offer */
export const race = defineWorkflow({
  id: "race",
  version: "7b4db5486bc47ca8",
  name: "The first offer",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Ask (parallel state)
    const askResults = await flow.fork(
      "Ask",
      { North: (flow) => askNorth(flow, fn, data), South: (flow) => askSouth(flow, fn, data) },
      { join: 1, spare: true },
    );
    data = mergeResult(
      mergeResult(
        data,
        askResults.North === undefined ? null : difference(askResults.North, data),
        "North",
      ),
      askResults.South === undefined ? null : difference(askResults.South, data),
      "South",
    );
    return data;
  },
});

/** Ask / North */
async function askNorth(flow: Flow, fn: Functions, data: Json): Promise<Json> {
  // Q (operation state)
  const q = await flow.step("Q", (step) => fn.quote({ from: "north" }, step));
  data = assignResult(data, q, "quote");
  return data;
}

/** Ask / South */
async function askSouth(flow: Flow, fn: Functions, data: Json): Promise<Json> {
  // Q (operation state)
  const q = await flow.step("Q", (step) => fn.quote({ from: "south" }, step));
  data = assignResult(data, q, "quote");
  return data;
}
