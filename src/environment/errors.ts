import type { Json } from "../json.ts";

/** The error of a function. */
export class FunctionFailure extends Error {
  /** What the error carries in addition to its name and message. */
  readonly data: Json | undefined;

  constructor(name: string, message: string, data?: Json) {
    super(message);
    this.name = name;
    this.data = data;
  }
}

/** The number of consecutive steps without an external effect after which a loop counts as endless. */
export const maxSteps = 200_000;

/** The number of consecutive detached subflow starts after which they count as endless recursion. */
export const maxLaunches = 2_000;

/** The number of runs that events produced by the runs of a simulation may start. */
export const maxStartedRuns = 1000;

const limitMessages = {
  steps: `More than ${maxSteps} steps were taken in a row without a call, a delay, an event or an end.`,
  launches: `More than ${maxLaunches} subflows that nobody waits for were started in a row without a call, a delay or an event.`,
  starts: `Events that runs produced have started more than ${maxStartedRuns} runs.`,
};

/** A run exceeded a limit. No handler catches it. */
export class StepLimit extends Error {
  constructor(what: "steps" | "launches" | "starts") {
    super(limitMessages[what]);
    this.name = "LimitError";
  }
}
