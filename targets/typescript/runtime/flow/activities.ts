import type { Place } from "../host.ts";
import { type Hearer, neverAborted } from "./abort.ts";
import { Line, type Standing } from "./line.ts";

/** Something that can go on, and does when it is its turn; `go` is false where there is nothing to go on with any more. */
export interface Ready extends Standing {
  go(): boolean;
}

/** What came of work. */
export type Result<T> = { readonly value: T } | { readonly error: unknown };

/**
 * What goes on in a run and the subflows in it. Of several activities that can go on, one goes on until it waits or is over before the next does: that with
 * the first position. An activity that is cut off only leaves what it was in.
 */
export interface Activities {
  ready(what: Ready): void;
  /** What goes on waits from now on, or is over. */
  rest(): void;
}

/** Where an activity is, and among which others. */
export interface Activity extends Place {
  readonly activities: Activities;
}

/** Activities of which none goes on yet. */
export const createActivities = (): Activities => new TakingTurns();

class TakingTurns implements Activities {
  readonly #line = new Line<Ready>();
  #goesOn = false;
  #isTurning = false;

  ready(what: Ready): void {
    if (!this.#goesOn && !this.#isTurning && this.#line.isEmpty) {
      this.#goesOn = this.#isTurning = true;
      if (!what.go()) this.#goesOn = false;
      this.#isTurning = false;
      if (!this.#line.isEmpty) this.#turn();
      return;
    }
    this.#line.put(what);
    this.#turn();
  }

  rest(): void {
    this.#goesOn = false;
    this.#turn();
  }

  #turn(): void {
    if (this.#isTurning) return;
    this.#isTurning = true;
    while (!this.#goesOn) {
      const first = this.#line.take();
      if (first === undefined) break;
      this.#goesOn = true;
      if (!first.go()) this.#goesOn = false;
    }
    this.#isTurning = false;
  }
}

/** Begins work as an activity of its own; `done` is told what came of it, unless it was cut off. */
export const begin = <T>(activity: Activity, work: () => Promise<T>, done: (result: Result<T>) => void): void =>
  activity.activities.ready(new Begun(activity, work, done));

/** An activity of its own that begins when it is its turn. It stands in line itself: where there are many, each object for one counts. */
export abstract class Beginning<T> implements Ready {
  readonly activity: Activity;
  order = 0;
  next: Standing | undefined = undefined;

  constructor(activity: Activity) {
    this.activity = activity;
  }

  abstract work(): Promise<T>;

  /** Is told what came of it, unless it was cut off. */
  abstract done(result: Result<T>): void;

  get position(): readonly number[] {
    return this.activity.position;
  }

  go(): boolean {
    if (this.activity.signal.aborted) return false;
    promised(this).then(
      (value) => this.#finish({ value }),
      (error: unknown) => this.#finish({ error }),
    );
    return true;
  }

  #finish(result: Result<T>): void {
    const { activities, signal } = this.activity;
    if (signal.aborted) return;
    this.done(result);
    activities.rest();
  }
}

class Begun<T> extends Beginning<T> {
  readonly work: () => Promise<T>;
  readonly done: (result: Result<T>) => void;

  constructor(activity: Activity, work: () => Promise<T>, done: (result: Result<T>) => void) {
    super(activity);
    this.work = work;
    this.done = done;
  }
}

function promised<T>(beginning: Beginning<T>): Promise<T> {
  try {
    return Promise.resolve(beginning.work());
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
      const go = () => {
        if (signal.aborted) return false;
        signal.removeEventListener("abort", cutOff);
        release();
        settle(result, resolve, reject);
        return true;
      };
      activities.ready({ position, order: 0, next: undefined, go });
    };
    if (signal !== neverAborted) signal.addEventListener("abort", cutOff);
    release = start(wake);
    activities.rest();
  });
}

/** Gives what an effect gives: waits for it where it is not there at once. */
export function outcomeOf<T>(activity: Activity, effect: Promise<T> | T): Promise<T> {
  if (!(effect instanceof Promise)) return Promise.resolve(effect);
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const awaited = new Awaited(activity, resolve, reject);
  effect.then(
    (value) => awaited.goOn({ value }),
    (error: unknown) => awaited.goOn({ error }),
  );
  activity.activities.rest();
  return promise;
}

/** An effect that an activity waits for: it stands in line, and hears of what cuts the activity off, itself. */
class Awaited<T> implements Ready, Hearer {
  order = 0;
  next: Standing | undefined = undefined;
  before: Hearer | undefined = undefined;
  behind: Hearer | undefined = undefined;
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

  goOn(result: Result<T>): void {
    const { activities, signal } = this.#activity;
    if (signal !== neverAborted) signal.removeEventListener("abort", this);
    this.#result = result;
    if (signal.aborted) this.handleEvent();
    else activities.ready(this);
  }

  go(): boolean {
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
