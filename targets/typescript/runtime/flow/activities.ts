import type { Place } from "../host.ts";
import { type ListenerNode, neverAborted } from "./abort.ts";
import { type QueueItem, ReadyQueue } from "./ready-queue.ts";

/** An activity that can continue. `resume` returns false if it was canceled meanwhile. */
export interface ReadyActivity extends QueueItem {
  resume(): boolean;
}

/** The result of work. */
export type Result<T> = { readonly value: T } | { readonly error: unknown };

/**
 * Schedules the activities of a run and of the subflows in it: the branches and iterations that run concurrently. One
 * runs at a time, until it waits or ends; of those that are ready, the one with the smallest position is next.
 */
export interface Activities {
  ready(activity: ReadyActivity): void;
  /** The running activity waits or has ended. */
  pause(): void;
}

/** The place of an activity, and its scheduler. */
export interface Activity extends Place {
  readonly activities: Activities;
}

/** Creates a scheduler. */
export const createActivities = (): Activities => new Scheduler();

class Scheduler implements Activities {
  readonly #queue = new ReadyQueue<ReadyActivity>();
  #isRunning = false;
  #isScheduling = false;

  ready(activity: ReadyActivity): void {
    if (!this.#isRunning && !this.#isScheduling && this.#queue.isEmpty) {
      this.#isRunning = this.#isScheduling = true;
      if (!activity.resume()) this.#isRunning = false;
      this.#isScheduling = false;
      if (!this.#queue.isEmpty) this.#schedule();
      return;
    }
    this.#queue.push(activity);
    this.#schedule();
  }

  pause(): void {
    this.#isRunning = false;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduling) return;
    this.#isScheduling = true;
    while (!this.#isRunning) {
      const first = this.#queue.pop();
      if (first === undefined) break;
      this.#isRunning = true;
      if (!first.resume()) this.#isRunning = false;
    }
    this.#isScheduling = false;
  }
}

/** Begins work as an activity. `done` receives its result, unless it is canceled. */
export const begin = <T>(activity: Activity, work: () => Promise<T>, done: (result: Result<T>) => void): void =>
  activity.activities.ready(new CallbackStart(activity, work, done));

/** An activity that is about to begin. It is its own queue item, which saves an object per iteration. */
export abstract class ActivityStart<T> implements ReadyActivity {
  readonly activity: Activity;
  order = 0;
  next: QueueItem | undefined = undefined;

  constructor(activity: Activity) {
    this.activity = activity;
  }

  abstract work(): Promise<T>;

  /** Receives the result, unless the activity is canceled. */
  abstract done(result: Result<T>): void;

  get position(): readonly number[] {
    return this.activity.position;
  }

  resume(): boolean {
    if (this.activity.signal.aborted) return false;
    startWork(this).then(
      (value) => this.#finish({ value }),
      (error: unknown) => this.#finish({ error }),
    );
    return true;
  }

  #finish(result: Result<T>): void {
    const { activities, signal } = this.activity;
    if (signal.aborted) return;
    this.done(result);
    activities.pause();
  }
}

class CallbackStart<T> extends ActivityStart<T> {
  readonly work: () => Promise<T>;
  readonly done: (result: Result<T>) => void;

  constructor(activity: Activity, work: () => Promise<T>, done: (result: Result<T>) => void) {
    super(activity);
    this.work = work;
    this.done = done;
  }
}

function startWork<T>(start: ActivityStart<T>): Promise<T> {
  try {
    return Promise.resolve(start.work());
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Runs work as an activity that nothing cancels. */
export const activityOf = <T>(activity: Activity, work: () => Promise<T>): Promise<T> =>
  new Promise<T>((resolve, reject) => begin(activity, work, (result) => settle(result, resolve, reject)));

/**
 * Suspends an activity until `wake` is called; only the first call counts. The function that `start` returns is called
 * when the wait is over.
 */
export function wait<T>(
  { activities, position, signal }: Activity,
  start: (wake: (result: Result<T>) => void) => () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let isAwake = false;
    let release = (): void => undefined;
    const cancel = () => {
      release();
      reject(signal.reason);
    };
    const wake = (result: Result<T>) => {
      if (isAwake) return;
      isAwake = true;
      const resume = () => {
        if (signal.aborted) return false;
        signal.removeEventListener("abort", cancel);
        release();
        settle(result, resolve, reject);
        return true;
      };
      activities.ready({ position, order: 0, next: undefined, resume });
    };
    if (signal !== neverAborted) signal.addEventListener("abort", cancel);
    release = start(wake);
    activities.pause();
  });
}

/** The result of an effect: the activity is suspended unless the result is synchronous. */
export function outcomeOf<T>(activity: Activity, effect: Promise<T> | T): Promise<T> {
  if (!(effect instanceof Promise)) return Promise.resolve(effect);
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const awaited = new AwaitedEffect(activity, resolve, reject);
  effect.then(
    (value) => awaited.settle({ value }),
    (error: unknown) => awaited.settle({ error }),
  );
  activity.activities.pause();
  return promise;
}

/** An effect that an activity waits for, and its own node of the queue and of the signal's listeners. */
class AwaitedEffect<T> implements ReadyActivity, ListenerNode {
  order = 0;
  next: QueueItem | undefined = undefined;
  previousListener: ListenerNode | undefined = undefined;
  nextListener: ListenerNode | undefined = undefined;
  readonly #activity: Activity;
  readonly #resolve: (value: T) => void;
  readonly #reject: (reason: unknown) => void;
  #result: Result<T> | undefined;

  constructor(activity: Activity, resolve: (value: T) => void, reject: (reason: unknown) => void) {
    this.#activity = activity;
    this.#resolve = resolve;
    this.#reject = reject;
    if (activity.signal !== neverAborted) activity.signal.addEventListener("abort", this);
  }

  get position(): readonly number[] {
    return this.#activity.position;
  }

  settle(result: Result<T>): void {
    const { activities, signal } = this.#activity;
    if (signal !== neverAborted) signal.removeEventListener("abort", this);
    this.#result = result;
    if (signal.aborted) this.handleEvent();
    else activities.ready(this);
  }

  resume(): boolean {
    const { signal } = this.#activity;
    if (!signal.aborted) return settle(this.#result!, this.#resolve, this.#reject);
    this.handleEvent();
    return false;
  }

  handleEvent(): void {
    this.#reject(this.#activity.signal.reason);
  }
}

function settle<T>(result: Result<T>, resolve: (value: T) => void, reject: (error: unknown) => void): true {
  if ("error" in result) reject(result.error);
  else resolve(result.value);
  return true;
}
