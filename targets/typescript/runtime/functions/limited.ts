import { NotBegun } from "../errors.ts";
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
 * step gives up meanwhile, as when it has taken too long, is not made; nor is one whose turn comes as the process stops.
 *
 *   limited(http("POST https://pay.example.com/charge"), { concurrency: 10, rate: 50 })
 */
export function limited<F extends Limitable>(call: F, limits: Limits): F {
  const gate = gateOf(limits);
  const inTurn = async (argument: never, step: Step): Promise<unknown> => {
    await gate.enter(step);
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
  /** Resolves when it is the caller's turn; rejects when the step is aborted before, with its signal's reason, or when the process stops by then. */
  enter(step: Step): Promise<void>;
  leave(): void;
}

/** A call that waits for its turn. */
interface Caller {
  readonly step: Step;
  begin(): void;
  giveUp(reason: unknown): void;
}

function gateOf({ concurrency = Number.POSITIVE_INFINITY, rate = Number.POSITIVE_INFINITY }: Limits): Gate {
  const waiting = new Set<Caller>();
  let [going, nextAt] = [0, 0];
  let timer: NodeJS.Timeout | undefined;
  const stopTimer = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const admit = () => {
    for (const caller of waiting) {
      if (caller.step.isStopping) {
        caller.giveUp(new NotBegun());
        continue;
      }
      const wait = nextAt - performance.now();
      if (going >= concurrency || timer) return;
      if (wait > 0) {
        timer = setTimeout(() => {
          timer = undefined;
          admit();
        }, wait);
        return;
      }
      waiting.delete(caller);
      going += 1;
      nextAt = Math.max(nextAt, performance.now()) + 1000 / rate;
      caller.begin();
    }
  };
  return {
    enter: (step) =>
      new Promise((resolve, reject) => {
        const { signal } = step;
        const aborted = () => caller.giveUp(signal.reason);
        const caller: Caller = {
          step,
          begin() {
            signal.removeEventListener("abort", aborted);
            resolve();
          },
          giveUp(reason) {
            signal.removeEventListener("abort", aborted);
            waiting.delete(caller);
            if (waiting.size === 0) stopTimer();
            reject(reason);
          },
        };
        if (signal.aborted) return reject(signal.reason);
        signal.addEventListener("abort", aborted, { once: true });
        waiting.add(caller);
        admit();
      }),
    leave() {
      going -= 1;
      admit();
    },
  };
}
