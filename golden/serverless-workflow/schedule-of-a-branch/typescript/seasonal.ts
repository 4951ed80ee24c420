// A branch with a season 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Flow,
  type Json,
  assign,
  defineWorkflow,
  difference,
  mergeResult,
} from "./runtime.js";

/** A branch with a season */
export const seasonal = defineWorkflow({
  id: "seasonal",
  version: "9c5b5edda8c44a42",
  name: "A branch with a season",
  run: async (flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // Both (parallel state)
    const bothResults = await flow.fork("Both", {
      Winter: (flow) => bothWinter(flow, data),
      Always: () => bothAlways(data),
    });
    data = mergeResult(
      mergeResult(data, difference(bothResults.Winter, data), "Winter"),
      difference(bothResults.Always, data),
      "Always",
    );
    return data;
  },
});

/** Both / Winter */
async function bothWinter(flow: Flow, data: Json): Promise<Json> {
  if (
    !(await flow.isWithin("window", {
      from: "2026-01-01T00:00:00Z",
      until: "2026-03-01T00:00:00Z",
    }))
  ) {
    return data;
  }
  // Snow (inject state)
  data = assign(data, { snow: true });
  return data;
}

/** Both / Always */
async function bothAlways(data: Json): Promise<Json> {
  // Sun (inject state)
  data = assign(data, { sun: true });
  return data;
}
