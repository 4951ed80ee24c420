import { popHeap, pushHeap } from "../../../../src/priority-queue.ts";
import { EventRefused, SinkAway } from "../errors.ts";
import type { CloudEvent } from "../events.ts";
import type { Core } from "./core.ts";
import type { OutgoingRow } from "./statements.ts";

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

interface Details {
  readonly reason: string;
  readonly seconds?: number;
}

/** The maximum numbers of events of a sink in memory, in flight, and retried at once. */
const [looked, atOnce, againAtOnce] = [256, 16, 4];

/**
 * Pauses before retries, in milliseconds: the longest, the longest that a sink may request, and after many failures in
 * a row.
 */
const [longestPause, longestAsked, unluckyPause] = [60_000, 3_600_000, 1000];

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
  readonly #aside = new Set<number>();
  #again: Outgoing[] = [];
  #inFlight = 0;
  #againInFlight = 0;
  /** How often in a row the sink was unavailable, and how many events in a row failed. */
  #absences = 0;
  #unlucky = 0;
  #due = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(core: Core) {
    this.#core = core;
  }

  added(type: string): void {
    this.#types.add(type);
    this.#isMore = true;
    this.#go();
  }

  get isBusy(): boolean {
    return this.#inFlight > 0 || (this.#due <= this.#core.now() && this.#next() !== undefined);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#stopping.abort();
  }

  #go(): void {
    if (this.#stopping.signal.aborted || this.#core.commits.isStopped) return;
    clearTimeout(this.#timer);
    this.#fill();
    for (let next = this.#next(); next && this.#due <= this.#core.now(); next = this.#next()) {
      this.#send(next);
      this.#fill();
    }
    const due = this.#following();
    if (due === undefined) return;
    const pause = Math.max(this.#due, due) - this.#core.now();
    this.#timer = setTimeout(() => this.#go(), Math.min(Math.max(pause, 1), longestPause));
  }

  /** When the next event can be sent; undefined if that depends on a response. */
  #following(): number | undefined {
    if (this.#inFlight >= this.#most) return undefined;
    if (this.#first() !== undefined) return 0;
    return this.#againInFlight < againAtOnce ? this.#again[0]?.due : undefined;
  }

  get #most(): number {
    return this.#absences > 0 ? 1 : atOnce;
  }

  /** Reads the next events when half of the window is free. */
  #fill(): void {
    while (this.#isMore && this.#window.length <= looked / 2) {
      const room = looked - this.#window.length;
      const rows = this.#core.sql.outgoing.all(this.#read, JSON.stringify([...this.#types]), room);
      this.#isMore = rows.length === room;
      this.#read = rows.at(-1)?.ref ?? this.#read;
      this.#window.push(...rows.filter(({ run }) => !this.#aside.has(run)).map(outgoingOf));
    }
  }

  /** The event to send now: a few retries come first if the sink accepts events. */
  #next(): Outgoing | undefined {
    if (this.#inFlight >= this.#most) return undefined;
    const again = this.#againInFlight < againAtOnce ? this.#again[0] : undefined;
    const isDue = again !== undefined && again.due <= this.#core.now();
    if (this.#absences > 0 || this.#unlucky >= atOnce) return this.#first() ?? (isDue ? again : undefined);
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

  #send(outgoing: Outgoing): void {
    const isAgain = this.#again[0] === outgoing;
    if (isAgain) popHeap(this.#again, isSooner);
    outgoing.isInFlight = true;
    outgoing.attempts += 1;
    this.#inFlight += 1;
    if (isAgain) this.#againInFlight += 1;
    const done = (failed?: SendFailure) => {
      this.#inFlight -= 1;
      if (isAgain) this.#againInFlight -= 1;
      this.#done(outgoing, failed);
    };
    const sending = this.#try(outgoing);
    if (!(sending instanceof Promise)) {
      done(sending);
      return;
    }
    const settle = (failed?: SendFailure) => {
      done(failed);
      this.#go();
    };
    sending.then(
      () => settle(),
      (reason: unknown) => settle({ reason }),
    );
  }

  #try({ ref, attempts: attempt }: Outgoing): Promise<void> | SendFailure | undefined {
    try {
      const row = this.#core.sql.outgoingText.get(ref);
      if (!row) return undefined;
      const event = JSON.parse(row.text) as CloudEvent;
      return this.#core.options.send(event, { attempt, signal: this.#stopping.signal }) ?? undefined;
    } catch (reason) {
      return { reason: reason instanceof SyntaxError ? new EventRefused(`It is damaged: ${reason.message}`) : reason };
    }
  }

  #done(outgoing: Outgoing, failed: SendFailure | undefined): void {
    outgoing.isInFlight = false;
    if (this.#stopping.signal.aborted) return;
    if (!failed) this.#sent(outgoing);
    else if (failed.reason instanceof EventRefused) this.#refused(outgoing, failed.reason.message);
    else this.#failed(outgoing, failed.reason);
  }

  #sent(outgoing: Outgoing): void {
    if (this.#absences > 0) this.#isBack();
    this.#unlucky = 0;
    this.#due = 0;
    this.#over(outgoing);
    this.#write(() => this.#core.sql.sent.run(outgoing.ref));
  }

  /** What was not taken as the sink was away is due. */
  #isBack(): void {
    this.#absences = 0;
    for (const outgoing of this.#again) if (outgoing.isBySink) outgoing.due = 0;
    this.#again.sort((a, b) => (isSooner(a, b) ? -1 : 1));
  }

  #refused(outgoing: Outgoing, reason: string): void {
    this.#over(outgoing);
    this.#write(() => this.#core.sql.refused.run(outgoing.attempts, reason, outgoing.ref));
    this.#tell("error", "A sink refuses an event; it is put aside until its run is retried.", outgoing, { reason });
  }

  #failed(outgoing: Outgoing, thrown: unknown): void {
    const { now, sql } = this.#core;
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    const asked = thrown instanceof SinkAway ? Math.min(thrown.seconds * 1000, longestAsked) : 0;
    const pause = Math.max(pauseAfter(outgoing.attempts), asked);
    outgoing.due = now() + pause;
    outgoing.isBySink = thrown instanceof SinkAway;
    if (outgoing.isBySink) this.#isAway(asked);
    else this.#isUnlucky();
    this.#standAside(outgoing);
    this.#write(() => sql.notSent.run(outgoing.attempts, reason, outgoing.ref));
    const seconds = pause / 1000;
    this.#tell("warn", "An event was not taken; it is sent again.", outgoing, { reason, seconds });
  }

  #isAway(asked: number): void {
    const now = this.#core.now();
    if (this.#due <= now) this.#due = now + pauseAfter(++this.#absences);
    this.#due = Math.max(this.#due, now + asked);
  }

  #isUnlucky(): void {
    this.#unlucky += 1;
    if (this.#unlucky % atOnce !== 0) return;
    this.#due = Math.max(this.#due, this.#core.now() + unluckyPause);
  }

  #standAside(outgoing: Outgoing): void {
    this.#aside.add(outgoing.run);
    this.#window = this.#window.filter(({ run }) => run !== outgoing.run);
    pushHeap(this.#again, outgoing, isSooner);
  }

  /** Removes an event. If it was a retry, the next event of its run takes its place. */
  #over(outgoing: Outgoing): void {
    const { run, ref } = outgoing;
    if (!this.#aside.has(run)) {
      this.#window.splice(this.#window.indexOf(outgoing), 1);
      return;
    }
    const next = this.#core.sql.outgoingBehind.get(run, ref, JSON.stringify([...this.#types]));
    if (next) pushHeap(this.#again, outgoingOf(next), isSooner);
    else this.#aside.delete(run);
  }

  #tell(level: "warn" | "error", message: string, { run, type, attempts: attempt }: Outgoing, more: Details): void {
    const { sql, log } = this.#core;
    log({ level, message, run: sql.run.get(run)?.id ?? "", event: type, attempt, ...more });
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
