import { NotBegun } from "../errors.ts";
import type { Step } from "../flow.ts";

/** Limits of the calls of a function, in this process and over all runs. */
export interface Limits {
  /** The maximum number of concurrent calls. */
  readonly concurrency?: number;
  /** The maximum number of calls that begin in a second. */
  readonly rate?: number;
}

/**
 * A function whose calls are limited: further calls wait in order of arrival. A call is not made if its step is
 * aborted while it waits, such as by a timeout, or if the process stops before its turn.
 *
 *   limited(http("POST https://pay.example.com/charge"), { concurrency: 10, rate: 50 })
 */
export const limited = <F extends Limitable>(call: F, limits: Limits): F => gated(call, new Gate(limits));

/** The limited functions, without their limits. */
const limitedCalls = new WeakMap<object, { readonly call: Limitable; readonly gate: Gate }>();

/** A function without its limits. */
export const ungated = (call: object): Limitable => limitedCalls.get(call)?.call ?? (call as Limitable);

/** A function with the limits and the queue of another one. */
export function limitedLike<F extends Limitable>(other: object, call: F): F {
  const known = limitedCalls.get(other);
  return known ? gated(call, known.gate) : call;
}

function gated<F extends Limitable>(call: F, gate: Gate): F {
  const inTurn = async (argument: never, step: Step): Promise<unknown> => {
    await gate.enter(step);
    try {
      return await call(argument, step as never);
    } finally {
      gate.leave();
    }
  };
  limitedCalls.set(inTurn, { call, gate });
  return inTurn as unknown as F;
}

type Limitable = (argument: never, step: never) => unknown;

/** A call that waits for its turn. */
interface Caller {
  readonly step: Step;
  begin(): void;
  giveUp(reason: unknown): void;
}

/** Limits how many calls are concurrent and how many begin in a second, in order of arrival. */
class Gate {
  readonly #concurrency: number;
  readonly #rate: number;
  readonly #waiting = new Set<Caller>();
  #going = 0;
  #nextAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor({ concurrency = Number.POSITIVE_INFINITY, rate = Number.POSITIVE_INFINITY }: Limits) {
    this.#concurrency = concurrency;
    this.#rate = rate;
  }

  /**
   * Resolves when the caller may begin; rejects with the signal's reason if the step is aborted before, or if the
   * process stops.
   */
  enter(step: Step): Promise<void> {
    return new Promise((resolve, reject) => {
      const { signal } = step;
      if (signal.aborted) return reject(signal.reason);
      const aborted = () => caller.giveUp(signal.reason);
      const leave = () => {
        signal.removeEventListener("abort", aborted);
        this.#waiting.delete(caller);
      };
      const caller: Caller = {
        step,
        begin() {
          leave();
          resolve();
        },
        giveUp: (reason) => {
          leave();
          if (this.#waiting.size === 0) this.#stopTimer();
          reject(reason);
        },
      };
      signal.addEventListener("abort", aborted, { once: true });
      this.#waiting.add(caller);
      this.#admit();
    });
  }

  leave(): void {
    this.#going -= 1;
    this.#admit();
  }

  #admit(): void {
    for (const caller of this.#waiting) {
      if (caller.step.isStopping) {
        caller.giveUp(new NotBegun());
        continue;
      }
      if (this.#going >= this.#concurrency || this.#timer) return;
      const wait = this.#nextAt - performance.now();
      if (wait > 0) {
        this.#admitIn(wait);
        return;
      }
      this.#going += 1;
      this.#nextAt = Math.max(this.#nextAt, performance.now()) + 1000 / this.#rate;
      caller.begin();
    }
  }

  #admitIn(milliseconds: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#admit();
    }, milliseconds);
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
