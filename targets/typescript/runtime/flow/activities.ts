import type { Place } from "../host.ts";
import { neverAborted } from "./abort.ts";
import { put, taken } from "./heap.ts";

/** What came of work. */
export type Result<T> = { readonly value: T } | { readonly error: unknown };

/**
 * What goes on in a run and the subflows in it. Of several activities that can go on, one goes on until it waits or is over before the next does: that with
 * the first position. An activity that is cut off only leaves what it was in.
 */
export interface Activities {
  /** Something can go on, and does when it is its turn; `go` is false where there is nothing to go on with any more. */
  ready(position: readonly number[], go: () => boolean): void;
  /** What goes on waits from now on, or is over. */
  rest(): void;
}

/** Where an activity is, and among which others. */
export interface Activity extends Place {
  readonly activities: Activities;
}

/** Activities of which none goes on yet. */
export function createActivities(): Activities {
  const queue: Ready[] = [];
  let [order, goesOn, isTurning] = [0, false, false];
  const turn = () => {
    if (isTurning) return;
    isTurning = true;
    while (!goesOn && queue.length > 0) {
      goesOn = true;
      if (!taken(queue, isBefore)!.go()) goesOn = false;
    }
    isTurning = false;
  };
  return {
    ready(position, go) {
      if (!goesOn && !isTurning && queue.length === 0) {
        goesOn = isTurning = true;
        if (!go()) goesOn = false;
        isTurning = false;
        if (queue.length > 0) turn();
        return;
      }
      put(queue, { position, order: order++, go }, isBefore);
      turn();
    },
    rest() {
      goesOn = false;
      turn();
    },
  };
}

/** Begins work as an activity of its own; `done` is told what came of it, unless it was cut off. */
export function begin<T>(
  { activities, position, signal }: Activity,
  work: () => Promise<T>,
  done: (result: Result<T>) => void,
): void {
  const finish = (result: Result<T>) => {
    if (signal.aborted) return;
    done(result);
    activities.rest();
  };
  activities.ready(position, () => {
    if (signal.aborted) return false;
    promised(work).then(
      (value) => finish({ value }),
      (error: unknown) => finish({ error }),
    );
    return true;
  });
}

function promised<T>(work: () => Promise<T>): Promise<T> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Begins work as an activity of its own that nothing cuts off, and gives what came of it. */
export const activityOf = <T>(activity: Activity, work: () => Promise<T>): Promise<T> =>
  new Promise<T>((resolve, reject) => begin(activity, work, (result) => settle(result, resolve, reject)));

/**
 * Lets an activity wait: `wake` is told what came of it, the first time counts. What `start` gives is called when the wait is over. A flow is used by one
 * activity, which does one thing after the other.
 */
export function wait<T>(
  { activities, position, signal }: Activity,
  start: (wake: (result: Result<T>) => void) => () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let isAwake = false;
    let release = (): void => undefined;
    const cutOff = () => {
      release();
      reject(signal.reason);
    };
    const wake = (result: Result<T>) => {
      if (isAwake) return;
      isAwake = true;
      activities.ready(position, () => {
        if (signal.aborted) return false;
        signal.removeEventListener("abort", cutOff);
        release();
        settle(result, resolve, reject);
        return true;
      });
    };
    if (signal !== neverAborted) signal.addEventListener("abort", cutOff);
    release = start(wake);
    activities.rest();
  });
}

/** Gives what an effect gives: waits for it where it is not there at once. */
export function outcomeOf<T>({ activities, position, signal }: Activity, effect: Promise<T> | T): Promise<T> {
  if (!(effect instanceof Promise)) return Promise.resolve(effect);
  return new Promise((resolve, reject) => {
    const cutOff = (): false => {
      reject(signal.reason);
      return false;
    };
    if (signal !== neverAborted) signal.addEventListener("abort", cutOff);
    const goOn = (result: Result<T>) => {
      if (signal !== neverAborted) signal.removeEventListener("abort", cutOff);
      if (signal.aborted) cutOff();
      else activities.ready(position, () => (signal.aborted ? cutOff() : settle(result, resolve, reject)));
    };
    effect.then(
      (value) => goOn({ value }),
      (error: unknown) => goOn({ error }),
    );
    activities.rest();
  });
}

function settle<T>(result: Result<T>, resolve: (value: T) => void, reject: (error: unknown) => void): true {
  if ("error" in result) reject(result.error);
  else resolve(result.value);
  return true;
}

/** Something that can go on. */
interface Ready {
  readonly position: readonly number[];
  readonly order: number;
  readonly go: () => boolean;
}

const isBefore = (a: Ready, b: Ready): boolean => (byPosition(a.position, b.position) || a.order - b.order) < 0;

/** Compares two positions: below 0 where the first comes first. */
export function byPosition(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}
