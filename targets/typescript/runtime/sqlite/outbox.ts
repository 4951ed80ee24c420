import { EventRefused } from "../errors.ts";
import type { CloudEvent } from "../events.ts";
import type { Core } from "./core.ts";
import type { OutgoingRow } from "./statements.ts";

/** Sends what runs have emitted, for as long as sinks do not take it: apart from the runs, and each sink apart from the others. */
export interface Outbox {
  /** An event of a type is in the store. */
  added(type: string): void;
  /** Something is being sent, or could be. */
  readonly isBusy: boolean;
  stop(): void;
}

/** The outbox of a store; what is in it is sent. */
export function outboxOf(core: Core): Outbox {
  const lanes = new Map<string, Lane>();
  const added = (type: string) => {
    const sink = core.options.sinkOf?.(type) ?? "";
    const lane = lanes.get(sink) ?? new Lane(core);
    lanes.set(sink, lane);
    lane.added(type);
  };
  for (const { type } of core.sql.outgoingTypes.all()) added(type);
  return {
    added,
    get isBusy() {
      return [...lanes.values()].some(({ isBusy }) => isBusy);
    },
    stop() {
      for (const lane of lanes.values()) lane.stop();
    },
  };
}

/** An event that is on its way: those of one run leave one after the other. */
interface Outgoing {
  readonly ref: number;
  readonly run: number;
  readonly type: string;
  attempts: number;
  isOnItsWay: boolean;
  /** When it is tried again, in milliseconds since 1970. */
  due: number;
}

interface Failed {
  readonly reason: unknown;
}

interface Details {
  readonly reason: string;
  readonly seconds?: number;
}

/** How many events of a sink are looked at, and how many are sent to it at once. */
const [looked, atOnce] = [256, 16];

/** The longest pause before something is sent again, in milliseconds. */
const longestPause = 60_000;

/** How long to wait after so many attempts, in milliseconds. */
const pauseAfter = (attempts: number): number => Math.min(1000 * 2 ** (attempts - 1), longestPause);

/**
 * What goes to one sink. While nothing reaches it one event at a time is tried, less and less often, those first that were tried least: so one event that
 * the sink cannot digest keeps none of another run back.
 */
class Lane {
  readonly #core: Core;
  readonly #types = new Set<string>();
  readonly #stopping = new AbortController();
  #window: Outgoing[] = [];
  #read = 0;
  #isMore = false;
  #onTheirWay = 0;
  #failures = 0;
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
    return this.#onTheirWay > 0 || (this.#failures === 0 && this.#next() !== undefined);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#stopping.abort();
  }

  #go(): void {
    if (this.#stopping.signal.aborted || this.#core.turns.isStopped) return;
    clearTimeout(this.#timer);
    this.#fill();
    for (let next = this.#next(); next && this.#mayBegin(); next = this.#next()) this.#send(next);
    const due = Math.min(...this.#window.map((each) => (each.isOnItsWay ? Number.POSITIVE_INFINITY : each.due)));
    if (this.#onTheirWay > 0 || due === Number.POSITIVE_INFINITY) return;
    const pause = Math.max(this.#due, due) - this.#core.now();
    this.#timer = setTimeout(() => this.#go(), Math.min(Math.max(pause, 1), longestPause));
  }

  #mayBegin(): boolean {
    return this.#onTheirWay < (this.#failures > 0 ? 1 : atOnce) && this.#due <= this.#core.now();
  }

  /** Reads what comes next, once there is room for as much again. */
  #fill(): void {
    const room = looked - this.#window.length;
    if (!this.#isMore || room < looked / 2) return;
    const rows = this.#core.sql.outgoing.all(this.#read, JSON.stringify([...this.#types]), room);
    this.#isMore = rows.length === room;
    for (const { ref, run, type, attempts } of rows) {
      this.#window.push({ ref, run, type, attempts, isOnItsWay: false, due: 0 });
      this.#read = ref;
    }
  }

  /** What may be sent: the first one, of runs of which nothing is on its way or has to go before; the one tried least where nothing gets through. */
  #next(): Outgoing | undefined {
    const now = this.#core.now();
    const runs = new Set<number>();
    let found: Outgoing | undefined;
    for (const each of this.#window) {
      if (runs.has(each.run)) continue;
      runs.add(each.run);
      if (each.isOnItsWay || each.due > now) continue;
      if (this.#failures === 0) return each;
      if (found === undefined || each.attempts < found.attempts) found = each;
    }
    return found;
  }

  #send(outgoing: Outgoing): void {
    outgoing.isOnItsWay = true;
    outgoing.attempts += 1;
    this.#onTheirWay += 1;
    const sending = this.#try(outgoing);
    if (!(sending instanceof Promise)) {
      this.#done(outgoing, sending);
      return;
    }
    const goOn = (failed?: Failed) => {
      this.#done(outgoing, failed);
      this.#go();
    };
    sending.then(
      () => goOn(),
      (reason: unknown) => goOn({ reason }),
    );
  }

  #try({ ref, attempts: attempt }: Outgoing): Promise<void> | Failed | undefined {
    try {
      const event = JSON.parse(this.#core.sql.outgoingText.get(ref)!.text) as CloudEvent;
      return this.#core.options.send(event, { attempt, signal: this.#stopping.signal }) ?? undefined;
    } catch (reason) {
      return { reason: reason instanceof SyntaxError ? new EventRefused(`It is damaged: ${reason.message}`) : reason };
    }
  }

  #done(outgoing: Outgoing, failed: Failed | undefined): void {
    this.#onTheirWay -= 1;
    outgoing.isOnItsWay = false;
    if (this.#stopping.signal.aborted) return;
    if (!failed) this.#sent(outgoing);
    else if (failed.reason instanceof EventRefused) this.#refused(outgoing, failed.reason.message);
    else this.#failed(outgoing, failed.reason instanceof Error ? failed.reason.message : String(failed.reason));
  }

  #sent(outgoing: Outgoing): void {
    this.#failures = 0;
    this.#due = 0;
    this.#remove(outgoing);
    this.#write(() => this.#core.sql.sent.run(outgoing.ref));
  }

  #refused(outgoing: Outgoing, reason: string): void {
    this.#remove(outgoing);
    this.#write(() => this.#core.sql.refused.run(outgoing.attempts, reason, outgoing.ref));
    this.#tell("error", "A sink refuses an event; it is put aside until its run is retried.", outgoing, { reason });
  }

  #failed(outgoing: Outgoing, reason: string): void {
    const { now, sql } = this.#core;
    const pause = pauseAfter(outgoing.attempts);
    outgoing.due = now() + pause;
    if (this.#due <= now()) this.#due = now() + pauseAfter(++this.#failures);
    this.#write(() => sql.notSent.run(outgoing.attempts, reason, outgoing.ref));
    const seconds = pause / 1000;
    this.#tell("warn", "An event was not taken; it is sent again.", outgoing, { reason, seconds });
  }

  #tell(level: "warn" | "error", message: string, { run, type, attempts: attempt }: Outgoing, more: Details): void {
    const { sql, log } = this.#core;
    log({ level, message, run: sql.run.get(run)?.id ?? "", event: type, attempt, ...more });
  }

  #remove(outgoing: Outgoing): void {
    this.#window.splice(this.#window.indexOf(outgoing), 1);
  }

  #write(apply: () => void): void {
    const strand = (reason: unknown) =>
      this.#core.log({ level: "error", message: "The outbox cannot be written.", reason: String(reason) });
    this.#core.turns.write({ strand }, apply, () => undefined);
  }
}

/** Puts what sinks have refused of a run at the end of the outbox again; the types of these events. Within a transaction. */
export function sendAgain({ sql }: Core, run: number): readonly string[] {
  const rows: readonly OutgoingRow[] = sql.outgoingOf.all(run).filter(({ refused }) => refused === 1);
  for (const { ref } of rows) {
    sql.sendAgain.run(ref);
    sql.sent.run(ref);
  }
  return [...new Set(rows.map(({ type }) => type))];
}
