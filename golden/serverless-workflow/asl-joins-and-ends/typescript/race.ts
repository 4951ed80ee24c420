// Race 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Flow,
  type Json,
  RunEnd,
  defineWorkflow,
  difference,
  mergeResult,
} from "./runtime.js";

/** Race */
export const race = defineWorkflow({
  id: "race",
  version: "e52e4633e1ac15c4",
  name: "Race",
  run: async (flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // First (parallel state)
    const firstResults = await flow.fork(
      "First",
      { fast: (flow) => firstFast(flow, data), slow: (flow) => firstSlow(flow, data) },
      { join: 1, spare: true },
    );
    data = mergeResult(
      mergeResult(
        data,
        firstResults.fast === undefined ? null : difference(firstResults.fast, data),
        "fast",
      ),
      firstResults.slow === undefined ? null : difference(firstResults.slow, data),
      "slow",
    );
    // Some (parallel state)
    const someResults = await flow.fork(
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
          someResults.one === undefined ? null : difference(someResults.one, data),
          "one",
        ),
        someResults.two === undefined ? null : difference(someResults.two, data),
        "two",
      ),
      someResults.three === undefined ? null : difference(someResults.three, data),
      "three",
    );
    // Stop (parallel state)
    const stopResults = await flow.fork("Stop", { "give up": (flow) => stopGiveUp(flow, data) });
    data = mergeResult(data, difference(stopResults["give up"], data), "give up");
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
