import type { Step } from "../flow.ts";

/** How much of a function may go on, in this process and over all runs. */
export interface Limits {
  /** Calls at once. */
  readonly concurrency?: number;
  /** Calls that begin in a second. */
  readonly rate?: number;
}

/**
 * The same function, of which no more calls go on than its limits allow: the others wait for their turn, in the order in which they came. A call that its
 * step gives up meanwhile, as when it has taken too long, is not made.
 *
 *   limited(http("POST https://pay.example.com/charge"), { concurrency: 10, rate: 50 })
 */
export function limited<F extends Limitable>(call: F, limits: Limits): F {
  const gate = gateOf(limits);
  const inTurn = async (argument: never, step: Step): Promise<unknown> => {
    await gate.enter(step.signal);
    try {
      return await call(argument, step as never);
    } finally {
      gate.leave();
    }
  };
  return inTurn as unknown as F;
}

type Limitable = (argument: never, step: never) => unknown;

interface Gate {
  /** Resolves when it is the caller's turn; rejects with the signal's reason when that is aborted before. */
  enter(signal: AbortSignal): Promise<void>;
  leave(): void;
}

function gateOf({ concurrency = Number.POSITIVE_INFINITY, rate = Number.POSITIVE_INFINITY }: Limits): Gate {
  const waiting = new Set<() => void>();
  let [going, nextAt] = [0, 0];
  let timer: NodeJS.Timeout | undefined;
  const stopTimer = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const admit = () => {
    for (const begin of waiting) {
      const wait = nextAt - performance.now();
      if (going >= concurrency || timer) return;
      if (wait > 0) {
        timer = setTimeout(() => {
          timer = undefined;
          admit();
        }, wait);
        return;
      }
      waiting.delete(begin);
      going += 1;
      nextAt = Math.max(nextAt, performance.now()) + 1000 / rate;
      begin();
    }
  };
  return {
    enter: (signal) =>
      new Promise((resolve, reject) => {
        const giveUp = () => {
          waiting.delete(begin);
          if (waiting.size === 0) stopTimer();
          reject(signal.reason);
        };
        const begin = () => {
          signal.removeEventListener("abort", giveUp);
          resolve();
        };
        if (signal.aborted) return reject(signal.reason);
        signal.addEventListener("abort", giveUp, { once: true });
        waiting.add(begin);
        admit();
      }),
    leave() {
      going -= 1;
      admit();
    },
  };
}
