// order 1, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignMember,
  defineWorkflow,
  difference,
  mergeResult,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  draw(argument: Json, step: Step): Answer<Json>;
}

/** order */
export const order = defineWorkflow({
  id: "order",
  version: "4b421f10ebb05d29",
  name: "order",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // A (parallel state)
    const aResults = await flow.fork(
      "A",
      { first: (flow) => aFirst(flow, fn, data), "2": (flow: Flow) => a2(flow, fn, data) },
      { order: ["first", "2"] },
    );
    data = mergeResult(
      mergeResult(data, difference(aResults.first, data), "first"),
      difference(aResults["2"], data),
      "2",
    );
    return data;
  },
});

/** A / first */
async function aFirst(flow: Flow, fn: Functions, data: Json): Promise<Json> {
  // B (operation state)
  const b = await flow.step("B", (step) => fn.draw(data, step));
  data = assignMember(data, "first", b);
  return data;
}

/** A / 2 */
async function a2(flow: Flow, fn: Functions, data: Json): Promise<Json> {
  // C (operation state)
  const c = await flow.step("C", (step) => fn.draw(data, step));
  data = assignMember(data, "second", c);
  return data;
}
