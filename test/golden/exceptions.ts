/** An action is killed after five minutes. */
const tooLong = "a function answers after more than 300 seconds";

/** Scenarios that OpenWhisk cannot run, with the reasons. */
const openwhisk: ScenarioExceptions = {
  "serverless-workflow/callback": {
    "an answer that comes before the call has returned is not lost": tooLong,
    "without an answer the flow goes on, counted from when the call returned": tooLong,
  },
  "serverless-workflow/event-wait": { "an event that comes before the state listens is kept": tooLong },
  "sm4c/claims-desk": { "the run takes too long": tooLong },
  "yawl/timeouts": {
    "too slow an answer is caught": tooLong,
    "no step takes longer than a quarter of an hour": tooLong,
  },
};

/** Scenarios in which AWS orders simultaneous actions or names errors differently, with the reasons. */
const asl: ScenarioExceptions = {
  "serverless-workflow/foreach-spaced-and-narrow": {
    "the next one begins with the answer that ends it, before what a timer begins at that instant":
      "the wait beside an iteration ends when others do that were begun before it",
  },
  "sm4c/absent-wait": {
    "null at once": "what an execution does that nobody waits for comes after what its starter does at that instant",
  },
};

/** Reasons by the names of golden folders and scenarios. */
interface ScenarioExceptions {
  readonly [name: string]: { readonly [scenario: string]: string };
}

/** Scenarios whose result on a target differs from the reference, with the reasons. */
export const scenarioExceptions: { readonly [target: string]: ScenarioExceptions } = { openwhisk, asl };
