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

interface ScenarioExceptions {
  readonly [name: string]: { readonly [scenario: string]: string };
}

/** Scenarios whose result on a target differs from the reference, with the reasons. */
export const scenarioExceptions: { readonly [target: string]: ScenarioExceptions } = { openwhisk };
