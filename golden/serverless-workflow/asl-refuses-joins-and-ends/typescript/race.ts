// Race 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Flow,
  type Json,
  RunEnd,
  defineWorkflow,
  difference,
  mergeResult,
} from "./runtime/index.ts";

/** Race */
export const race = defineWorkflow({
  id: "race",
  version: "cf1721872834a181",
  name: "Race",
  run: async (flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // First (parallel state)
    const results = await flow.fork(
      "First",
      { fast: (flow) => firstFast(flow, data), slow: (flow) => firstSlow(flow, data) },
      { join: 1, spare: true },
    );
    data = mergeResult(
      mergeResult(data, results.fast === undefined ? null : difference(results.fast, data), "fast"),
      results.slow === undefined ? null : difference(results.slow, data),
      "slow",
    );
    // Some (parallel state)
    const results2 = await flow.fork(
      "Some",
      {
        one: (flow) => someOne(flow, data),
        two: (flow) => someTwo(flow, data),
        three: (flow) => someThree(flow, data),
      },
      { join: 2, spare: true },
    );
    data = mergeResult(
      mergeResult(
        mergeResult(
          data,
          results2.one === undefined ? null : difference(results2.one, data),
          "one",
        ),
        results2.two === undefined ? null : difference(results2.two, data),
        "two",
      ),
      results2.three === undefined ? null : difference(results2.three, data),
      "three",
    );
    // Stop (parallel state)
    const results3 = await flow.fork("Stop", { "give up": (flow) => stopGiveUp(flow, data) });
    data = mergeResult(data, difference(results3["give up"], data), "give up");
    return data;
  },
});

/** First / fast */
async function firstFast(flow: Flow, data: Json): Promise<Json> {
  // Fast (delay state)
  await flow.sleep("Fast", 60);
  return data;
}

/** First / slow */
async function firstSlow(flow: Flow, data: Json): Promise<Json> {
  // Slow (delay state)
  await flow.sleep("Slow", 120);
  return data;
}

/** Some / one */
async function someOne(flow: Flow, data: Json): Promise<Json> {
  // One (delay state)
  await flow.sleep("One", 60);
  return data;
}

/** Some / two */
async function someTwo(flow: Flow, data: Json): Promise<Json> {
  // Two (delay state)
  await flow.sleep("Two", 120);
  return data;
}

/** Some / three */
async function someThree(flow: Flow, data: Json): Promise<Json> {
  // Three (delay state)
  await flow.sleep("Three", 180);
  return data;
}

/** Stop / give up */
async function stopGiveUp(flow: Flow, data: Json): Promise<Json> {
  // Give up (delay state)
  await flow.sleep("Give up", 60);
  throw new RunEnd({ value: data });
}
