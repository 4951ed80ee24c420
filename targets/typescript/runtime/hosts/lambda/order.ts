import { byPosition } from "../../internal.ts";

// Tests replace the globals of the clock.
const { queueMicrotask, process } = globalThis;
const { nextTick } = process;

/** A recorded result, which the run receives in its turn. */
export interface RecordedResult {
  /** Its place among all results of the run. */
  readonly place: number;
  /** When it was available, in milliseconds since 1970. */
  readonly at: number;
  readonly tell: () => void;
}

/** A result without a place. */
interface NewResult {
  readonly at: number;
  readonly position: readonly number[];
  readonly record: (place: number) => void;
}

/**
 * The order of the results that a run receives. Each result gets a place when it is available, is recorded with the
 * place, and is delivered in its turn, when the run is idle after the one before. So a replayed run receives the same
 * results in the same order. New results get places only after all recorded ones have been delivered.
 */
export interface Order {
  /** The run's time: that of its last result. */
  now(): number;
  /** Resolves when the run has received all results of earlier invocations. */
  readonly live: Promise<void>;
  /** Resolves with the place of a new result. Results are ordered by time, then by position. */
  place(at: number, position: readonly number[]): Promise<number>;
  /** Delivers a recorded result in its turn. */
  arrive(recorded: RecordedResult): void;
}

/** Creates an order without results that begins at an instant. */
export function orderFrom(began: number): Order {
  let [now, last, isDue] = [began, 0, false];
  const finished: NewResult[] = [];
  const arrived = new Map<number, RecordedResult>();
  const given = new Set<number>();
  const { promise: live, resolve: goLive } = Promise.withResolvers<void>();
  const touch = () => {
    if (isDue) return;
    isDue = true;
    // After all promises that follow from the last result, and before any input or output.
    queueMicrotask(() => nextTick(turn));
  };
  const turn = () => {
    isDue = false;
    const next = Math.min(...arrived.keys());
    const recorded = arrived.get(next);
    if (recorded && Math.min(...given) > next) tell(recorded);
    else if (!recorded) giveAll();
  };
  const tell = (recorded: RecordedResult) => {
    arrived.delete(recorded.place);
    last = Math.max(last, recorded.place);
    now = Math.max(now, recorded.at);
    recorded.tell();
    touch();
  };
  const giveAll = () => {
    goLive();
    for (const { record } of finished.splice(0).sort((a, b) => a.at - b.at || byPosition(a.position, b.position))) {
      last += 1;
      given.add(last);
      record(last);
    }
  };
  touch();
  return {
    now: () => now,
    live,
    place(at, position) {
      const { promise, resolve } = Promise.withResolvers<number>();
      finished.push({ at, position, record: resolve });
      touch();
      return promise;
    },
    arrive(recorded) {
      given.delete(recorded.place);
      arrived.set(recorded.place, recorded);
      touch();
    },
  };
}
