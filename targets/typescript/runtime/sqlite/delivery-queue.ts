import { popHeap, pushHeap } from "../../../../src/priority-queue.ts";
import { EventRefused, SinkAway } from "../errors.ts";
import type { CloudEvent } from "../events.ts";
import type { Core } from "./core.ts";
import type { OutgoingRow, OutgoingText } from "./statements.ts";
import type { Task } from "./store.ts";

/** An event to send. The events of one run are sent one after the other. */
interface Outgoing {
  readonly ref: number;
  readonly run: number;
  readonly type: string;
  attempts: number;
  isInFlight: boolean;
  /** The time of the next attempt, in milliseconds since 1970. */
  due: number;
  /** The last attempt failed because the sink is unavailable. */
  isBySink: boolean;
}

interface SendFailure {
  readonly reason: unknown;
}

/** The end of an attempt. */
interface SendResult {
  readonly outgoing: Outgoing;
  readonly isAgain: boolean;
  readonly failed: SendFailure | undefined;
}

interface Details {
  readonly reason: string;
  readonly seconds?: number;
}

/** The maximum numbers of events of a sink in memory, in flight, and retried at once. */
const [windowSize, maxInFlight, maxRetries] = [256, 16, 4];

/**
 * Pauses before retries, in milliseconds: the longest, the longest that a sink may request, and after many failures in
 * a row.
 */
const [longestPause, longestAsked, failurePause] = [60_000, 3_600_000, 1000];

/** The pause after a number of attempts, in milliseconds. */
const pauseAfter = (attempts: number): number => Math.min(1000 * 2 ** (attempts - 1), longestPause);

const isSooner = (a: Outgoing, b: Outgoing): boolean => a.due < b.due || (a.due === b.due && a.ref < b.ref);

/**
 * Sends events to one sink. An event that the sink does not accept is retried later, and delays only the later events
 * of its run. An unavailable sink receives one event at a time, less and less often; a sink that rejects many events in
 * a row receives a limited number per second.
 */
export class DeliveryQueue {
  readonly #core: Core;
  readonly #types = new Set<string>();
  readonly #stopping = new AbortController();
  /** The next events, of runs without retries. */
  #window: Outgoing[] = [];
  #read = 0;
  #isMore = false;
  /** The runs with retries, and the retries that are not in flight, as a heap. */
  readonly #deferred = new Set<number>();
  #retries: Outgoing[] = [];
  #inFlight = 0;
  #retriesInFlight = 0;
  /** How often in a row the sink was unavailable, and how many events in a row failed. */
  #outages = 0;
  #failures = 0;
  #due = 0;
  #timer: NodeJS.Timeout | undefined;
  /** The ends of attempts that have not been processed. */
  readonly #results: SendResult[] = [];
  /** The queue is being processed, and is to be processed again after that. */
  #isAdvancing = false;
  #isWanted = false;

  /** The number of the last event in the store whose type may be read. */
  readonly #last: () => number;

  constructor(core: Core, last: () => number) {
    [this.#core, this.#last] = [core, last];
  }

  /** Events of a type are for this sink. */
  addType(type: string): void {
    this.#types.add(type);
  }

  /** Events have been added. */
  added(): void {
    this.#isMore = true;
    this.#process();
  }

  get isBusy(): boolean {
    return this.#inFlight > 0 || (this.#due <= this.#core.now() && this.#next() !== undefined);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#stopping.abort();
  }

  /** Processes the queue, unless that is under way. */
  #process(): void {
    if (this.#stopping.signal.aborted || this.#core.commits.isStopped) return;
    this.#isWanted = true;
    if (this.#isAdvancing) return;
    this.#isAdvancing = true;
    const failed = (reason: unknown) => {
      this.#isAdvancing = false;
      this.#core.log({ level: "error", message: "The outbox cannot be read.", reason: String(reason) });
      this.#timer = setTimeout(() => this.#process(), failurePause);
    };
    try {
      const done = this.#core.db.read(this.#advance());
      if (done instanceof Promise) done.catch(failed);
    } catch (reason) {
      failed(reason);
    }
  }

  *#advance(): Task<void> {
    while (this.#isWanted) {
      this.#isWanted = false;
      clearTimeout(this.#timer);
      yield* this.#settleResults();
      yield* this.#fill();
      for (let next = this.#next(); next && this.#due <= this.#core.now(); next = this.#next()) {
        yield* this.#send(next);
        yield* this.#fill();
      }
    }
    this.#isAdvancing = false;
    const due = this.#following();
    if (due === undefined || this.#stopping.signal.aborted) return;
    const pause = Math.max(this.#due, due) - this.#core.now();
    this.#timer = setTimeout(() => this.#process(), Math.min(Math.max(pause, 1), longestPause));
  }

  /** When the next event can be sent; undefined if that depends on a response. */
  #following(): number | undefined {
    if (this.#inFlight >= this.#maxInFlight) return undefined;
    if (this.#first() !== undefined) return 0;
    return this.#retriesInFlight < maxRetries ? this.#retries[0]?.due : undefined;
  }

  get #maxInFlight(): number {
    return this.#outages > 0 ? 1 : maxInFlight;
  }

  /** Reads the next events when half of the window is free. */
  *#fill(): Task<void> {
    while (this.#isMore && this.#window.length <= windowSize / 2) {
      const room = windowSize - this.#window.length;
      this.#isMore = false;
      let rows: readonly OutgoingRow[];
      try {
        rows = yield* this.#core.sql.outgoing.all(this.#read, this.#last(), JSON.stringify([...this.#types]), room);
      } catch (reason) {
        this.#isMore = true;
        throw reason;
      }
      this.#isMore ||= rows.length === room;
      this.#read = rows.at(-1)?.ref ?? this.#read;
      this.#window.push(...rows.filter(({ run }) => !this.#deferred.has(run)).map(outgoingOf));
    }
  }

  /** The event to send now: a few retries come first if the sink accepts events. */
  #next(): Outgoing | undefined {
    if (this.#inFlight >= this.#maxInFlight) return undefined;
    const again = this.#retriesInFlight < maxRetries ? this.#retries[0] : undefined;
    const isDue = again !== undefined && again.due <= this.#core.now();
    if (this.#outages > 0 || this.#failures >= maxInFlight) return this.#first() ?? (isDue ? again : undefined);
    return isDue ? again : this.#first();
  }

  /** The first event without attempts, of runs without events in flight. */
  #first(): Outgoing | undefined {
    const runs = new Set<number>();
    return this.#window.find(({ run, isInFlight }) => {
      const isFree = !isInFlight && !runs.has(run);
      runs.add(run);
      return isFree;
    });
  }

  *#send(outgoing: Outgoing): Task<void> {
    const row = yield* this.#core.sql.outgoingText.get(outgoing.ref);
    const isAgain = this.#retries[0] === outgoing;
    if (isAgain) popHeap(this.#retries, isSooner);
    outgoing.isInFlight = true;
    outgoing.attempts += 1;
    this.#inFlight += 1;
    if (isAgain) this.#retriesInFlight += 1;
    const done = (failed?: SendFailure) => this.#results.push({ outgoing, isAgain, failed });
    const sending = row && this.#try(row, outgoing.attempts);
    if (!(sending instanceof Promise)) {
      done(sending);
      yield* this.#settleResults();
      return;
    }
    const settle = (failed?: SendFailure) => {
      done(failed);
      this.#process();
    };
    sending.then(
      () => settle(),
      (reason: unknown) => settle({ reason }),
    );
  }

  #try({ text, trace }: OutgoingText, attempt: number): Promise<void> | SendFailure | undefined {
    try {
      const event = JSON.parse(text) as CloudEvent;
      const sending = { attempt, signal: this.#stopping.signal, trace: trace ?? undefined };
      return this.#core.options.send(event, sending) ?? undefined;
    } catch (reason) {
      return { reason: reason instanceof SyntaxError ? new EventRefused(`It is damaged: ${reason.message}`) : reason };
    }
  }

  /** Processes the ends of attempts. Everything that this needs is read first, so that it can be repeated. */
  *#settleResults(): Task<void> {
    for (let [result] = this.#results; result; [result] = this.#results) {
      const { outgoing, isAgain, failed } = result;
      const { sql } = this.#core;
      const { run, ref } = outgoing;
      const following = this.#deferred.has(run)
        ? yield* sql.outgoingBehind.get(run, ref, this.#last(), JSON.stringify([...this.#types]))
        : undefined;
      const id = failed ? ((yield* sql.idOfRun.get(run))?.id ?? "") : "";
      this.#results.shift();
      this.#inFlight -= 1;
      if (isAgain) this.#retriesInFlight -= 1;
      outgoing.isInFlight = false;
      if (this.#stopping.signal.aborted) continue;
      if (!failed) this.#sent(outgoing, following);
      else if (failed.reason instanceof EventRefused) this.#refused(outgoing, following, id, failed.reason.message);
      else this.#failed(outgoing, id, failed.reason);
    }
  }

  #sent(outgoing: Outgoing, following: OutgoingRow | undefined): void {
    if (this.#outages > 0) this.#retryAll();
    this.#failures = 0;
    this.#due = 0;
    this.#remove(outgoing, following);
    this.#write(() => void this.#core.sql.sent.run(outgoing.ref));
  }

  /** The sink is available again: everything that it did not accept before is due. */
  #retryAll(): void {
    this.#outages = 0;
    for (const outgoing of this.#retries) if (outgoing.isBySink) outgoing.due = 0;
    this.#retries.sort((a, b) => (isSooner(a, b) ? -1 : 1));
  }

  #refused(outgoing: Outgoing, following: OutgoingRow | undefined, id: string, reason: string): void {
    this.#remove(outgoing, following);
    this.#write(() => void this.#core.sql.refused.run(outgoing.attempts, reason, outgoing.ref));
    const message = "A sink refuses an event; it is dead-lettered until its run is retried.";
    this.#log("error", message, id, outgoing, { reason });
  }

  #failed(outgoing: Outgoing, id: string, thrown: unknown): void {
    const { now, sql } = this.#core;
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    const asked = thrown instanceof SinkAway ? Math.min(thrown.seconds * 1000, longestAsked) : 0;
    const pause = Math.max(pauseAfter(outgoing.attempts), asked);
    outgoing.due = now() + pause;
    outgoing.isBySink = thrown instanceof SinkAway;
    if (outgoing.isBySink) this.#delaySink(asked);
    else this.#countFailure();
    this.#deferRun(outgoing);
    this.#write(() => void sql.notSent.run(outgoing.attempts, reason, outgoing.ref));
    const seconds = pause / 1000;
    this.#log("warn", "An event was not accepted; it is sent again.", id, outgoing, { reason, seconds });
  }

  #delaySink(asked: number): void {
    const now = this.#core.now();
    if (this.#due <= now) this.#due = now + pauseAfter(++this.#outages);
    this.#due = Math.max(this.#due, now + asked);
  }

  #countFailure(): void {
    this.#failures += 1;
    if (this.#failures % maxInFlight !== 0) return;
    this.#due = Math.max(this.#due, this.#core.now() + failurePause);
  }

  #deferRun(outgoing: Outgoing): void {
    this.#deferred.add(outgoing.run);
    this.#window = this.#window.filter(({ run }) => run !== outgoing.run);
    pushHeap(this.#retries, outgoing, isSooner);
  }

  /** Removes an event. If it was a retry, the next event of its run takes its place. */
  #remove(outgoing: Outgoing, following: OutgoingRow | undefined): void {
    if (!this.#deferred.has(outgoing.run)) this.#window.splice(this.#window.indexOf(outgoing), 1);
    else if (following) pushHeap(this.#retries, outgoingOf(following), isSooner);
    else this.#deferred.delete(outgoing.run);
  }

  #log(level: "warn" | "error", message: string, run: string, outgoing: Outgoing, more: Details): void {
    const { type, attempts: attempt } = outgoing;
    this.#core.log({ level, message, run, event: type, attempt, ...more });
  }

  #write(apply: () => void): void {
    const strand = (reason: unknown) =>
      this.#core.log({ level: "error", message: "The outbox cannot be written.", reason: String(reason) });
    this.#core.commits.write({ strand }, apply, () => undefined);
  }
}

const outgoingOf = ({ ref, run, type, attempts }: OutgoingRow): Outgoing => ({
  ref,
  run,
  type,
  attempts,
  isInFlight: false,
  due: 0,
  isBySink: false,
});
