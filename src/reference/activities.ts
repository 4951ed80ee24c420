import { comparePositions } from "../environment/environment.ts";
import { createPriorityQueue } from "../priority-queue.ts";

/**
 * A coroutine that runs until it yields a wait. It ends with the value that it returns, or fails with what it throws.
 */
export type Work<Value> = Generator<Wait, Value, Result<unknown>>;

/**
 * Starts a wait, whose first result goes to `wake`. Returns a function to call when the wait ends, with or without
 * result.
 */
export type Wait<Value = unknown> = (wake: (result: Result<Value>) => void) => () => void;

/** The result of a coroutine or a wait. */
export type Result<Value> = { readonly value: Value } | { readonly error: unknown };

/**
 * The activities of a run and its subflows. Of several that can continue at one instant, the one with the first
 * position runs until it waits before the next continues.
 */
export interface Activities {
  /**
   * Starts a coroutine at a position; `done` receives its result. Returns a function that stops it, after which `done`
   * is not called.
   */
  begin<Value>(work: () => Work<Value>, position: readonly number[], done: (result: Result<Value>) => void): () => void;
}

/** Creates a scheduler without activities. */
export function createActivities(): Activities {
  const ready = createPriorityQueue<Ready>(isBefore);
  let order = 0;
  let goesOn = false;
  const later = (position: readonly number[], go: () => void): void => {
    ready.push({ position, order: order++, go });
    if (goesOn) return;
    goesOn = true;
    try {
      for (let next = ready.pop(); next; next = ready.pop()) next.go();
    } finally {
      goesOn = false;
    }
  };
  return { begin: (work, position, done) => begin(work, (go) => later(position, go), done) };
}

/** Waits for a result; returns its value or throws its error. */
export function* waiting<Value>(wait: Wait<Value>): Work<Value> {
  const result = (yield wait as Wait) as Result<Value>;
  if ("error" in result) throw result.error;
  return result.value;
}

/** Waits for a promise. The signal is aborted when the wait ends. */
export const promised = <Value>(begin: (signal: AbortSignal) => Promise<Value>): Work<Value> =>
  waiting((wake) => {
    const stop = new AbortController();
    new Promise<Value>((resolve) => resolve(begin(stop.signal))).then(
      (value) => wake({ value }),
      (error: unknown) => wake({ error }),
    );
    return () => stop.abort(new Error("cut off"));
  });

/** An activity that can continue. */
interface Ready {
  readonly position: readonly number[];
  readonly order: number;
  readonly go: () => void;
}

const isBefore = (a: Ready, b: Ready): boolean => (comparePositions(a.position, b.position) || a.order - b.order) < 0;

function begin<Value>(
  work: () => Work<Value>,
  later: (go: () => void) => void,
  done: (result: Result<Value>) => void,
): () => void {
  let running: Work<Value> | undefined;
  let release: (() => void) | undefined;
  let isOver = false;
  const finish = (result: Result<Value>): void => {
    isOver = true;
    done(result);
  };
  const goOn = (result: Result<unknown>): void => {
    if (isOver) return;
    release?.();
    release = undefined;
    const next = advanced(() => {
      running ??= work();
      return running.next(result);
    });
    if ("error" in next) finish(next);
    else if (next.value.done) finish({ value: next.value.value });
    else release = next.value.value(waker());
  };
  const waker = (): ((result: Result<unknown>) => void) => {
    let isAwake = false;
    return (result) => {
      if (isAwake || isOver) return;
      isAwake = true;
      later(() => goOn(result));
    };
  };
  later(() => goOn({ value: undefined }));
  return () => {
    if (isOver) return;
    isOver = true;
    release?.();
    running?.return(undefined as Value);
  };
}

function advanced<Value>(advance: () => Value): Result<Value> {
  try {
    return { value: advance() };
  } catch (error) {
    return { error };
  }
}
