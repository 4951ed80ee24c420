import { byPosition, neverAborted, Replay } from "../../internal.ts";
import type { PendingRequest } from "../../replay/replay.ts";

// Tests replace the globals of the clock.
const { queueMicrotask, process } = globalThis;
const { nextTick } = process;

/** A result without a place. */
interface NewResult {
  readonly at: number;
  readonly position: readonly number[];
  readonly record: (place: number) => void;
}

/**
 * The order of the results that a run receives. Each result gets a place when it is available, and is recorded with the
 * place. New results get places only after all recorded ones have been delivered.
 */
export class Order extends Replay<PendingRequest> {
  /** Resolves when the run has received all results of earlier invocations. */
  readonly live: Promise<void>;
  readonly #goLive: () => void;
  #now: number;
  #last = 0;
  #isDue = false;
  readonly #finished: NewResult[] = [];
  /** The places of results that are being recorded. */
  readonly #places = new Set<number>();

  /** An order without results that begins at an instant. */
  constructor(began: number) {
    super(neverAborted);
    this.#now = began;
    const { promise, resolve } = Promise.withResolvers<void>();
    [this.live, this.#goLive] = [promise, resolve];
    this.schedule();
  }

  /** The run's time: that of its last result. */
  now(): number {
    return this.#now;
  }

  /** Resolves with the place of a new result. Results are ordered by time, then by position. */
  place(at: number, position: readonly number[]): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#finished.push({ at, position, record: resolve });
    this.schedule();
    return promise;
  }

  /** Delivers a recorded result, which was available at an instant, in its turn. */
  arrive({ place, at }: { readonly place: number; readonly at: number }, tell: () => void): void {
    this.#places.delete(place);
    const give = () => {
      this.#last = Math.max(this.#last, place);
      this.#now = Math.max(this.#now, at);
      tell();
      return true;
    };
    this.push({ seq: place, give });
  }

  protected schedule(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    // After all promises that follow from the last result, and before any input or output.
    queueMicrotask(() => nextTick(() => this.#turn()));
  }

  #turn(): void {
    this.#isDue = false;
    const next = this.nextSeq;
    if (next !== undefined && Math.min(...this.#places) < next) return;
    if (this.advance()) this.schedule();
    else this.#givePlaces();
  }

  #givePlaces(): void {
    this.#goLive();
    const results = this.#finished.splice(0).sort((a, b) => a.at - b.at || byPosition(a.position, b.position));
    for (const { record } of results) {
      this.#last += 1;
      this.#places.add(this.#last);
      record(this.#last);
    }
  }
}
