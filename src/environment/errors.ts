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

/** The number of subflows that may wait for each other. */
export const maxDepth = 1000;

/** The size of an argument, an event or the input of a subflow, as the number of its parts and characters. */
export const maxDataSize = 4 * 2 ** 20;

const limitMessages = {
  steps: `More than ${maxSteps} steps were taken in a row without a call, a delay, an event or an end.`,
  launches: `More than ${maxLaunches} subflows that nobody waits for were started in a row without a call, a delay or an event.`,
  starts: `Events that runs produced have started more than ${maxStartedRuns} runs.`,
  depth: `More than ${maxDepth} subflows wait for each other.`,
  time: "The run waits beyond the year 9999.",
  data: `An argument, an event or an input is larger than ${maxDataSize} characters.`,
};

/** A limit of a run. */
export type LimitKind = keyof typeof limitMessages;

/** A run exceeded a limit. No handler catches it. */
export class StepLimit extends Error {
  readonly kind: LimitKind;

  constructor(kind: LimitKind) {
    super(limitMessages[kind]);
    this.kind = kind;
    this.name = "LimitError";
  }
}
