import type { ForEach, Fork } from "../ir/workflow.ts";
import type { Json } from "../json.ts";
import type { Result, Wait } from "./activities.ts";
import type { Context } from "./context.ts";
import { RunEnd, StepFailure } from "./failure.ts";

/** Starts a branch or an iteration; returns a function that stops it. */
type Begin = (index: number, done: (result: Result<Json>) => void) => () => void;

/**
 * Waits until the join of a fork is decided, and stops the other branches. Results in the values of the counted
 * branches, by index.
 */
export const joined =
  (step: Fork, begin: Begin, { simulated: environment }: Context["run"]): Wait<ReadonlyMap<number, Json>> =>
  (wake) => {
    const total = step.branches.length;
    const wanted = step.join.kind === "all" ? total : step.join.count;
    const values = new Map<number, Json>();
    const running = new Map<number, () => void>();
    let failed = 0;
    let started = 0;
    let isDecided = wanted === 0;
    const decide = (result: Result<ReadonlyMap<number, Json>>) => {
      isDecided = true;
      wake(result);
    };
    const ended = (index: number, result: Result<Json>) => {
      running.delete(index);
      if (isDecided) return;
      if ("value" in result) {
        values.set(index, result.value);
        return values.size >= wanted ? decide({ value: values }) : beginNext();
      }
      failed += 1;
      const isLost = step.failure === "fatal" || result.error instanceof RunEnd || total - failed < wanted;
      if (!isLost) return beginNext();
      environment.recorder?.onJoinFailed();
      return decide(result);
    };
    const beginNext = () => {
      if (started >= total) return;
      const index = started++;
      beginAt(running, index, begin, ended);
    };
    for (let i = 0; i < Math.min(step.width ?? total, total); i++) beginNext();
    if (isDecided) wake({ value: values });
    return () => stopAll(running, environment);
  };

/** How the iterations of a loop run. */
export interface Iterations {
  readonly count: number;
  readonly width: number;
  /** The error after the failure of an iteration, if failures are tolerated. */
  readonly tolerates: ((index: number) => StepFailure | undefined) | undefined;
}

/**
 * Runs iterations, started in order as width and gap allow, until all have ended or one failure is not tolerated. Results
 * in their values in the order of the elements.
 */
export const iterated =
  (step: ForEach, { count, width, tolerates }: Iterations, begin: Begin, context: Context): Wait<Json> =>
  (wake) => {
    const { simulated: environment } = context.run;
    const values: Json[] = new Array<Json>(count).fill(null);
    const failed = new Set<number>();
    const running = new Map<number, () => void>();
    const gap = spacing(step.gap ?? 0, context, () => beginMore());
    let next = 0;
    let isOver = false;
    const ended = (index: number, result: Result<Json>) => {
      running.delete(index);
      if (isOver) return;
      if ("value" in result) {
        values[index] = result.value;
        return beginMore();
      }
      failed.add(index);
      const error = !tolerates || isFinal(result.error) ? result.error : tolerates(index);
      if (error === undefined) return beginMore();
      isOver = true;
      environment.recorder?.onJoinFailed();
      wake({ error });
    };
    const beginMore = () => {
      while (next < count && running.size < width && gap.isOver()) beginAt(running, next++, begin, ended);
      if (next === count && running.size === 0) wake({ value: values.filter((_, i) => !failed.has(i)) });
    };
    beginMore();
    return () => {
      isOver = true;
      gap.stop();
      stopAll(running, environment);
    };
  };

const isFinal = (error: unknown): boolean =>
  error instanceof RunEnd || (error instanceof StepFailure && error.error.fatal === true);

/** Limits how often iterations start. */
interface Spacing {
  /** Whether an iteration may start now. If so, the gap begins; otherwise the pacer's callback runs when it may. */
  isOver(): boolean;
  stop(): void;
}

/** Creates a pacer with a gap in seconds; `onward` is called after a gap in which a start was refused. */
function spacing(seconds: number, { run: { simulated: environment }, position }: Context, onward: () => void): Spacing {
  const stop = new AbortController();
  let nextStart = environment.now();
  let isResting = false;
  const rested = () => {
    isResting = false;
    onward();
  };
  return {
    isOver() {
      if (isResting) return false;
      const wait = (nextStart - environment.now()) / 1000;
      if (wait > 0) {
        isResting = true;
        environment.sleep(wait, stop.signal, position).then(rested, () => undefined);
        return false;
      }
      nextStart = environment.now() + seconds * 1000;
      return true;
    },
    stop: () => stop.abort(new Error("cut off")),
  };
}

/** Starts a branch or an iteration and tracks it until it ends, possibly at once. */
function beginAt(
  running: Map<number, () => void>,
  index: number,
  begin: Begin,
  ended: (index: number, result: Result<Json>) => void,
): void {
  running.set(index, () => undefined);
  const stop = begin(index, (result) => ended(index, result));
  if (running.has(index)) running.set(index, stop);
}

/** Stops all running branches or iterations, whose further progress is unspecified. */
function stopAll(running: ReadonlyMap<number, () => void>, { recorder }: Context["run"]["simulated"]): void {
  if (running.size > 0) recorder?.onAbandoned();
  for (const stop of running.values()) stop();
}
