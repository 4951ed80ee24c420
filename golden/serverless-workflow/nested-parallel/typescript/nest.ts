// Branches in branches, from serverless-workflow. Change the definition, not this file.
import { difference, mergeResult } from "./nest.expressions.js";
import { type Flow, type Json, type Step, defineWorkflow } from "./runtime/index.ts";

/** What the workflow calls. */
export interface Functions {
  f(argument: { readonly at: Json }, step: Step): Promise<Json>;
}

/** Inner / A1 */
const outerAInnerA1 = async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
  // Work (operation state)
  const f = await flow.step("Work", (step) => fn.f({ at: "a1" }, step));
  data = mergeResult(data, f, "f");
  return data;
};

/** Inner / A2 */
const outerAInnerA2 = async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
  // Work (operation state)
  const f = await flow.step("Work", (step) => fn.f({ at: "a2" }, step));
  data = mergeResult(data, f, "f");
  return data;
};

/** Outer / A */
const outerA = async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
  // Inner (parallel state)
  const results = await flow.fork("Inner", {
    A1: (flow) => outerAInnerA1(flow, fn, data),
    A2: (flow) => outerAInnerA2(flow, fn, data),
  });
  data = mergeResult(
    mergeResult(data, difference(results.A1, data), "A1"),
    difference(results.A2, data),
    "A2",
  );
  return data;
};

/** Outer / B */
const outerB = async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
  // Work (operation state)
  const f = await flow.step("Work", (step) => fn.f({ at: "b" }, step));
  data = mergeResult(data, f, "f");
  return data;
};

/** Branches in branches */
export const nest = defineWorkflow({
  id: "nest",
  version: "482a89c1cb72cc64",
  name: "Branches in branches",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Outer (parallel state)
    const results = await flow.fork("Outer", {
      A: (flow) => outerA(flow, fn, data),
      B: (flow) => outerB(flow, fn, data),
    });
    data = mergeResult(
      mergeResult(data, difference(results.A, data), "A"),
      difference(results.B, data),
      "B",
    );
    return data;
  },
});
