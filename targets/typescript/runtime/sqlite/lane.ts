import { popHeap, pushHeap } from "../../../../src/priority-queue.ts";
import { EventRefused, SinkAway } from "../errors.ts";
import type { CloudEvent } from "../events.ts";
import type { Core } from "./core.ts";
import type { OutgoingRow } from "./statements.ts";

/** An event that is to be sent: those of one run leave one after the other. */
interface Outgoing {
  readonly ref: number;
  readonly run: number;
  readonly type: string;
  attempts: number;
  isOnItsWay: boolean;
  /** When it is tried again, in milliseconds since 1970. */
  due: number;
  /** It was not for the event that it was not taken. */
  isBySink: boolean;
}

interface Failed {
  readonly reason: unknown;
}

interface Details {
  readonly reason: string;
  readonly seconds?: number;
}

/** How many events of a sink are looked at, how many are sent to it at once, and how many of these were tried before. */
const [looked, atOnce, againAtOnce] = [256, 16, 4];

/** The longest pause before something is sent again, the longest that a sink can ask for, and that after many failures in a row; in milliseconds. */
const [longestPause, longestAsked, unluckyPause] = [60_000, 3_600_000, 1000];

/** How long to wait after so many attempts, in milliseconds. */
const pauseAfter = (attempts: number): number => Math.min(1000 * 2 ** (attempts - 1), longestPause);

const isSooner = (a: Outgoing, b: Outgoing): boolean => a.due < b.due || (a.due === b.due && a.ref < b.ref);

/**
 * What goes to one sink. An event that is not taken stands aside, and with it what its run has emitted behind it, so that it keeps nothing of others back.
 * A sink that is away is asked with one event at a time, less and less often; one that takes none of many in a row, with so many a second.
 */
export class Lane {
  readonly #core: Core;
  readonly #types = new Set<string>();
  readonly #stopping = new AbortController();
  /** What comes next, of runs of which nothing stands aside. */
  #window: Outgoing[] = [];
  #read = 0;
  #isMore = false;
  /** The runs of which an event stands aside; those that are not on their way, as a heap. */
  readonly #aside = new Set<number>();
  #again: Outgoing[] = [];
  #onTheirWay = 0;
  #againOnTheirWay = 0;
  /** How often in a row the sink was away, and how many events in a row were not taken. */
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
    return this.#onTheirWay > 0 || (this.#due <= this.#core.now() && this.#next() !== undefined);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#stopping.abort();
  }

  #go(): void {
    if (this.#stopping.signal.aborted || this.#core.turns.isStopped) return;
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

  /** When something can be sent, as far as time alone decides; undefined where something else is waited for. */
  #following(): number | undefined {
    if (this.#onTheirWay >= this.#most) return undefined;
    if (this.#first() !== undefined) return 0;
    return this.#againOnTheirWay < againAtOnce ? this.#again[0]?.due : undefined;
  }

  get #most(): number {
    return this.#absences > 0 ? 1 : atOnce;
  }

  /** Reads what comes next, once there is room for as much again. */
  #fill(): void {
    while (this.#isMore && this.#window.length <= looked / 2) {
      const room = looked - this.#window.length;
      const rows = this.#core.sql.outgoing.all(this.#read, JSON.stringify([...this.#types]), room);
      this.#isMore = rows.length === room;
      this.#read = rows.at(-1)?.ref ?? this.#read;
      this.#window.push(...rows.filter(({ run }) => !this.#aside.has(run)).map(outgoingOf));
    }
  }

  /** What may be sent now: a few of what was tried before go first, where the sink takes anything. */
  #next(): Outgoing | undefined {
    if (this.#onTheirWay >= this.#most) return undefined;
    const again = this.#againOnTheirWay < againAtOnce ? this.#again[0] : undefined;
    const isDue = again !== undefined && again.due <= this.#core.now();
    if (this.#absences > 0 || this.#unlucky >= atOnce) return this.#first() ?? (isDue ? again : undefined);
    return isDue ? again : this.#first();
  }

  /** The first one that was not tried, of runs of which nothing is on its way. */
  #first(): Outgoing | undefined {
    const runs = new Set<number>();
    return this.#window.find(({ run, isOnItsWay }) => {
      const isFree = !isOnItsWay && !runs.has(run);
      runs.add(run);
      return isFree;
    });
  }

  #send(outgoing: Outgoing): void {
    const isAgain = this.#again[0] === outgoing;
    if (isAgain) popHeap(this.#again, isSooner);
    outgoing.isOnItsWay = true;
    outgoing.attempts += 1;
    this.#onTheirWay += 1;
    if (isAgain) this.#againOnTheirWay += 1;
    const done = (failed?: Failed) => {
      this.#onTheirWay -= 1;
      if (isAgain) this.#againOnTheirWay -= 1;
      this.#done(outgoing, failed);
    };
    const sending = this.#try(outgoing);
    if (!(sending instanceof Promise)) {
      done(sending);
      return;
    }
    const goOn = (failed?: Failed) => {
      done(failed);
      this.#go();
    };
    sending.then(
      () => goOn(),
      (reason: unknown) => goOn({ reason }),
    );
  }

  #try({ ref, attempts: attempt }: Outgoing): Promise<void> | Failed | undefined {
    try {
      const row = this.#core.sql.outgoingText.get(ref);
      if (!row) return undefined;
      const event = JSON.parse(row.text) as CloudEvent;
      return this.#core.options.send(event, { attempt, signal: this.#stopping.signal }) ?? undefined;
    } catch (reason) {
      return { reason: reason instanceof SyntaxError ? new EventRefused(`It is damaged: ${reason.message}`) : reason };
    }
  }

  #done(outgoing: Outgoing, failed: Failed | undefined): void {
    outgoing.isOnItsWay = false;
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

  /** An event leaves; of a run of which it stood aside, the next one comes in its place. */
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
    this.#core.turns.write({ strand }, apply, () => undefined);
  }
}

const outgoingOf = ({ ref, run, type, attempts }: OutgoingRow): Outgoing => ({
  ref,
  run,
  type,
  attempts,
  isOnItsWay: false,
  due: 0,
  isBySink: false,
});
