import { comparePositions } from "../environment/environment.ts";
import { createPriorityQueue } from "../priority-queue.ts";

/**
 * The order at one instant: runs start, events arrive, functions return, timers expire; within each kind by position.
 */
export const rank = { start: 0, arrival: 1, answer: 2, timer: 3 } as const;

/** A scheduled occurrence. */
interface Happening {
  readonly at: number;
  readonly rank: number;
  readonly position: readonly number[];
  readonly order: number;
  readonly fire: () => void;
  cancelled: boolean;
}

/** A virtual clock. Occurrences fire one after the other when they are due, without real time passing. */
export interface Clock {
  /** Milliseconds since 1970 (UTC). */
  now(): number;
  /** Schedules an occurrence for an instant, or now if that has passed. Returns a function that cancels it. */
  plan(at: number, kind: keyof typeof rank, fire: () => void, position?: readonly number[]): () => void;
  /** Fires the next occurrence; false without a next one. */
  advance(): boolean;
}

/** Creates a clock that shows an instant. */
export function createClock(start: number): Clock {
  const heap = createPriorityQueue(isBefore);
  let now = start;
  let order = 0;
  return {
    now: () => now,
    plan(at, kind, fire, position = []) {
      const due = { at: Math.max(at, now), rank: rank[kind], position, order: order++ };
      const happening: Happening = { ...due, fire, cancelled: false };
      heap.push(happening);
      return () => {
        happening.cancelled = true;
      };
    },
    advance() {
      for (let next = heap.pop(); next; next = heap.pop()) {
        if (next.cancelled) continue;
        now = Math.max(now, next.at);
        next.fire();
        return true;
      }
      return false;
    },
  };
}

const isBefore = (a: Happening, b: Happening): boolean =>
  (a.at - b.at || a.rank - b.rank || comparePositions(a.position, b.position) || a.order - b.order) < 0;

/**
 * Creates a promise that an aborted signal rejects with its reason. `begin` starts the work and returns a function that
 * cancels it.
 */
export function abortable<T = void>(
  signal: AbortSignal | undefined,
  begin: (resolve: (value: T) => void, reject: (reason: unknown) => void) => () => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      cancel();
      reject(signal!.reason);
    };
    const settled =
      <Args extends readonly unknown[]>(settle: (...args: Args) => void) =>
      (...args: Args) => {
        signal?.removeEventListener("abort", stop);
        settle(...args);
      };
    const cancel = begin(settled(resolve), settled(reject));
    signal?.addEventListener("abort", stop, { once: true });
  });
}
