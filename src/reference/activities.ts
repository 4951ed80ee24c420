import { comparePositions } from "../environment/environment.ts";
import { createPriorityQueue } from "../priority-queue.ts";

/** Work that goes on by itself until it waits: what it yields says what for. It is done with what it returns, or fails with what it throws. */
export type Work<Value> = Generator<Wait, Value, Result<unknown>>;

/** Begins to wait: `wake` is told what came of it, the first time counts. Gives what is to be called when the wait is over, whether something came of it or not. */
export type Wait<Value = unknown> = (wake: (result: Result<Value>) => void) => () => void;

/** What came of work. */
export type Result<Value> = { readonly value: Value } | { readonly error: unknown };

/**
 * What goes on in a run and the runs that it starts. Of several activities that can go on at one instant one goes on until it waits, before the next does:
 * that with the first position.
 */
export interface Activities {
  /** Begins work at a position; `done` is told what came of it, unless it was stopped before. Gives how to stop it. */
  begin<Value>(work: () => Work<Value>, position: readonly number[], done: (result: Result<Value>) => void): () => void;
}

/** Activities of which none goes on yet. */
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

/** Waits, and gives what came of it or fails with it. */
export function* waiting<Value>(wait: Wait<Value>): Work<Value> {
  const result = (yield wait as Wait) as Result<Value>;
  if ("error" in result) throw result.error;
  return result.value;
}

/** Waits for what a promise gives; when the wait is over the signal is aborted. */
export const promised = <Value>(begin: (signal: AbortSignal) => Promise<Value>): Work<Value> =>
  waiting((wake) => {
    const stop = new AbortController();
    new Promise<Value>((resolve) => resolve(begin(stop.signal))).then(
      (value) => wake({ value }),
      (error: unknown) => wake({ error }),
    );
    return () => stop.abort(new Error("cut off"));
  });

/** Something that can go on. */
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
