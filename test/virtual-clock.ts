import { createPriorityQueue } from "../src/priority-queue.ts";

/** A clock whose time passes only while everything waits for it. */
export interface VirtualClock {
  /** Milliseconds since 1970 (UTC). */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** Lets time pass until the work has ended. Rejects if it waits for anything but this clock. */
  run<Result>(work: Promise<Result>): Promise<Result>;
}

/** Creates a clock. Sleepers of one instant wake in the order in which they went to sleep. */
export function createVirtualClock(start = Date.parse("2026-01-01T00:00:00Z")): VirtualClock {
  const sleepers = createPriorityQueue<Sleeper>((a, b) => (a.at === b.at ? a.order < b.order : a.at < b.at));
  let now = start;
  let order = 0;
  return {
    now: () => now,
    sleep: (milliseconds) =>
      new Promise((wake) => sleepers.push({ at: now + Math.max(0, milliseconds), order: order++, wake })),
    async run(work) {
      let isOver = false;
      const end = (): void => {
        isOver = true;
      };
      work.then(end, end);
      for (;;) {
        await idle();
        if (isOver) return work;
        const next = sleepers.pop();
        if (!next) throw new Error("The work waits for something that never happens.");
        now = next.at;
        next.wake();
      }
    },
  };
}

interface Sleeper {
  readonly at: number;
  readonly order: number;
  readonly wake: () => void;
}

/** Resolves when no promise can continue. */
const idle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
