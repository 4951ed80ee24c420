// parallel-joins 1.0, from sm4c. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  failure,
  withMember,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  slow(argument: { readonly in: Json }, step: Step): Answer<Json>;
  quick(argument: { readonly in: Json }, step: Step): Answer<Json>;
  middle(argument: { readonly in: Json }, step: Step): Answer<Json>;
}

/** parallel-joins */
export const parallelJoins = defineWorkflow({
  id: "parallel-joins",
  version: "b76739eb746b4d7f",
  name: "parallel-joins",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // All (state)
    let results: Json = await flow.fork(
      "All",
      { slow: (flow) => allSlow(flow, fn), "1": (flow: Flow) => all1(flow, fn) },
      { order: ["slow", "1"] },
    );
    data = withMember(data, "all", results);
    // First (state)
    results = await flow.fork(
      "First",
      { slow: (flow) => firstSlow(flow, fn), quick: (flow) => firstQuick(flow, fn) },
      { join: 1 },
    );
    data = withMember(data, "first", results);
    twoMerge: {
      // Two (state)
      try {
        results = await flow.fork(
          "Two",
          {
            slow: (flow) => twoSlow(flow, fn),
            quick: (flow) => twoQuick(flow, fn),
            middle: (flow) => twoMiddle(flow, fn),
          },
          { join: 2 },
        );
      } catch (caught) {
        const error = failure(caught);
        if (error.name !== "Jam") throw caught;
        data = withMember(data, "jam", error.message);
        results = null;
        break twoMerge;
      }
    }
    data = withMember(data, "two", results);
    return data;
  },
});

/** All / slow */
async function allSlow(flow: Flow, fn: Functions): Promise<Json> {
  const slow = await flow.step("All/slow", (step) => fn.slow({ in: "all" }, step));
  return slow;
}

/** All / 1 */
async function all1(flow: Flow, fn: Functions): Promise<Json> {
  const quick = await flow.step("All/quick", (step) => fn.quick({ in: "all" }, step));
  return quick;
}

/** First / slow */
async function firstSlow(flow: Flow, fn: Functions): Promise<Json> {
  const slow = await flow.step("First/slow", (step) => fn.slow({ in: "first" }, step));
  return slow;
}

/** First / quick */
async function firstQuick(flow: Flow, fn: Functions): Promise<Json> {
  const quick = await flow.step("First/quick", (step) => fn.quick({ in: "first" }, step));
  return quick;
}

/** Two / slow */
async function twoSlow(flow: Flow, fn: Functions): Promise<Json> {
  const slow = await flow.step("Two/slow", (step) => fn.slow({ in: "two" }, step));
  return slow;
}

/** Two / quick */
async function twoQuick(flow: Flow, fn: Functions): Promise<Json> {
  const quick = await flow.step("Two/quick", (step) => fn.quick({ in: "two" }, step));
  return quick;
}

/** Two / middle */
async function twoMiddle(flow: Flow, fn: Functions): Promise<Json> {
  const middle = await flow.step("Two/middle", (step) => fn.middle({ in: "two" }, step));
  return middle;
}
