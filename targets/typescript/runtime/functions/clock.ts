import { WorkflowError } from "../errors.ts";
import type { Step } from "../flow.ts";

/** How long a call may go on. */
export interface Clock {
  /** Aborted when the call has taken too long, or is cut off with its step. */
  readonly signal: AbortSignal;
  /** What cut the call off; undefined where nothing did. */
  failure(): unknown;
}

/** The clock of a call: so many seconds, or as many as its step allows, or 300 where neither says anything. */
export function clockFor(step: Step, seconds: number | undefined): Clock {
  const most = seconds ?? (step.timeout === undefined ? 300 : undefined);
  if (most === undefined) return { signal: step.signal, failure: () => reasonOf(step.signal) };
  const limit = AbortSignal.timeout(most * 1000);
  const late = () => new WorkflowError("Timeout", `There was no answer within ${most} seconds.`, { origin: "timeout" });
  return {
    signal: AbortSignal.any([step.signal, limit]),
    failure: () => reasonOf(step.signal) ?? (limit.aborted ? late() : undefined),
  };
}

const reasonOf = (signal: AbortSignal): unknown => (signal.aborted ? signal.reason : undefined);
