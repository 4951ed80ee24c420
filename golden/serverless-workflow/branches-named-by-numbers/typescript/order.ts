// order 1, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  defineWorkflow,
  difference,
  mergeResult,
  place,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  draw(
    argument: Json,
    step: Step,
  ): Answer<{
    readonly first?: Json;
    readonly second?: Json;
    readonly [member: string]: Json | undefined;
  }>;
}

/** order */
export const order = defineWorkflow({
  id: "order",
  version: "9cdeba75afdf1d9b",
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
  data = b?.first !== undefined ? assign(data, { first: b.first }) : place(data, ["first"], b);
  return data;
}

/** A / 2 */
async function a2(flow: Flow, fn: Functions, data: Json): Promise<Json> {
  // C (operation state)
  const c = await flow.step("C", (step) => fn.draw(data, step));
  data = c?.second !== undefined ? assign(data, { second: c.second }) : place(data, ["second"], c);
  return data;
}
