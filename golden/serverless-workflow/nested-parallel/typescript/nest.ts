// Branches in branches 1.0, from serverless-workflow. Change the definition, not this file.
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
  f(argument: { readonly at: Json }, step: Step): Answer<Json>;
}

/** Branches in branches */
export const nest = defineWorkflow({
  id: "nest",
  version: "5efa48abad5758e4",
  name: "Branches in branches",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Outer (parallel state)
    const outerResults = await flow.fork("Outer", {
      A: (flow) => outerA(flow, fn, data),
      B: (flow) => outerB(flow, fn, data),
    });
    data = mergeResult(
      mergeResult(data, difference(outerResults.A, data), "A"),
      difference(outerResults.B, data),
      "B",
    );
    return data;
  },
});

/** Outer / A */
async function outerA(flow: Flow, fn: Functions, data: Json): Promise<Json> {
  // Inner (parallel state)
  const innerResults = await flow.fork("Inner", {
    A1: (flow) => outerAInnerA1(flow, fn, data),
    A2: (flow) => outerAInnerA2(flow, fn, data),
  });
  data = mergeResult(
    mergeResult(data, difference(innerResults.A1, data), "A1"),
    difference(innerResults.A2, data),
    "A2",
  );
  return data;
}

/** Outer / B */
async function outerB(flow: Flow, fn: Functions, data: Json): Promise<Json> {
  // Work (operation state)
  const work = await flow.step("Work", (step) => fn.f({ at: "b" }, step));
  data = assignResult(data, work, "f");
  return data;
}

/** Inner / A1 */
async function outerAInnerA1(flow: Flow, fn: Functions, data: Json): Promise<Json> {
  // Work (operation state)
  const work = await flow.step("Work", (step) => fn.f({ at: "a1" }, step));
  data = assignResult(data, work, "f");
  return data;
}

/** Inner / A2 */
async function outerAInnerA2(flow: Flow, fn: Functions, data: Json): Promise<Json> {
  // Work (operation state)
  const work = await flow.step("Work", (step) => fn.f({ at: "a2" }, step));
  data = assignResult(data, work, "f");
  return data;
}
