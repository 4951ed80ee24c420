import { parts } from "../parts.ts";

// Kept from before anybody may put another clock in their place.
const { queueMicrotask, process } = globalThis;
const { nextTick } = process;

/** Something that has come out and is recorded: in its turn the run is told. */
export interface Recorded {
  /** Its place among all that the run is told. */
  readonly place: number;
  /** When it came out, in milliseconds since 1970. */
  readonly at: number;
  readonly tell: () => void;
}

/** Something that has come out and is to be recorded. */
interface Finished {
  readonly at: number;
  readonly position: readonly number[];
  readonly record: (place: number) => void;
}

/**
 * The order in which a run is told how things came out. Each gets its place when it has come out, is recorded with that, and is told in its turn, when the
 * run has come to rest after the one before: so a run that is executed again is told the same in the same order, whatever raced. Nothing gets a place before
 * the run has been told all that is recorded.
 */
export interface Order {
  /** The time that the run knows: that of what it was told last. */
  now(): number;
  /** Resolves when the run has been told all that was recorded before. */
  readonly live: Promise<void>;
  /** Gives a place to something that has come out; of several the one that did so first has the first, and at one instant that of the first position. */
  place(at: number, position: readonly number[]): Promise<number>;
  /** Tells something that is recorded, in its turn. */
  arrive(recorded: Recorded): void;
}

/** An order in which nothing is, from an instant on. */
export function orderFrom(began: number): Order {
  let [now, last, isDue] = [began, 0, false];
  const finished: Finished[] = [];
  const arrived = new Map<number, Recorded>();
  const given = new Set<number>();
  const { promise: live, resolve: goLive } = Promise.withResolvers<void>();
  const touch = () => {
    if (isDue) return;
    isDue = true;
    // Behind all promises that follow by themselves from what was told, and before anything that comes from outside: ticks in a tick are not.
    queueMicrotask(() => nextTick(turn));
  };
  const turn = () => {
    isDue = false;
    const next = Math.min(...arrived.keys());
    const recorded = arrived.get(next);
    if (recorded && Math.min(...given) > next) tell(recorded);
    else if (!recorded) giveAll();
  };
  const tell = (recorded: Recorded) => {
    arrived.delete(recorded.place);
    last = Math.max(last, recorded.place);
    now = Math.max(now, recorded.at);
    recorded.tell();
    touch();
  };
  const giveAll = () => {
    goLive();
    for (const { record } of finished
      .splice(0)
      .sort((a, b) => a.at - b.at || parts.byPosition(a.position, b.position))) {
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
