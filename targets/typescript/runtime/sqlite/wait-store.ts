import { isOver } from "../../../../src/events/draft.ts";
import type { RunRecord, StoredWait } from "../../../../src/events/partition.ts";
import type { Json } from "../../../../src/json.ts";
import type { Core } from "./core.ts";
import { ageOf, partitionIn, partsOf, recordIn, runName, waitIn } from "./rows.ts";
import type { RecordRow, WaitRow } from "./statements.ts";
import type { Task } from "./store.ts";

/** A wait with the record of its run. */
export interface WaitOfRun {
  readonly wait: StoredWait;
  readonly record: RunRecord | undefined;
}

/** Everything that is stored of one run: its waits by key, and its record, its age and those of its subflows by inbox. */
interface RunRows {
  readonly waits: Map<string, StoredWait>;
  readonly records: Map<string, RunRecord>;
  readonly ages: Map<string, readonly number[]>;
}

/** A subscription of a run, or of a subflow in it. */
export interface NewSubscription {
  readonly run: number;
  /** The prefix of the subflow's keys; empty for the run. */
  readonly inbox: string;
  readonly workflow: number;
  /** The last event that arrived before it began. */
  readonly after: number | undefined;
  readonly value: Json | undefined;
  /** The root run, if it is another one. */
  readonly root?: number | undefined;
}

/**
 * The waits of runs, and the records of the runs and subflows that receive events. All methods that change something
 * are called within a transaction.
 *
 * The rows of runs that are in memory are cached, and every change is written through. The cache never differs from the
 * store: SQLite gives a file to one process, which locks it exclusively as long as it is open and changes these tables
 * only here; when a transaction is undone, the cache is emptied. Stores that several processes share are not cached.
 * The size is bounded by the number of runs in memory.
 */
export class WaitStore {
  readonly #core: Core;
  readonly #cache = new Map<number, RunRows>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** A wait; undefined if it is not stored. */
  *find(run: number, key: string): Task<WaitOfRun | undefined> {
    const cached = yield* this.#cached(run);
    if (!cached) {
      const row = yield* this.#core.sql.wait.get(run, key);
      return row && this.#readWithRecord(row);
    }
    const wait = cached.waits.get(key);
    return wait && { wait, record: cached.records.get(partsOf(wait.run)[1]) };
  }

  /** The waits of a run. */
  *waitsOf(run: number): Task<readonly StoredWait[]> {
    const cached = yield* this.#cached(run);
    return cached
      ? [...cached.waits.values()]
      : (yield* this.#core.sql.waitsOfRun.all(run)).flatMap((row) => this.read(row) ?? []);
  }

  /** What is known of a run or a subflow, by its name; undefined if it receives no events. */
  *record(name: string): Task<RunRecord | undefined> {
    const [run, inbox] = partsOf(name);
    const cached = yield* this.#cached(run);
    if (cached) return cached.records.get(inbox);
    const row = yield* this.#core.sql.subscription.get(run, inbox);
    return row && recordIn(row);
  }

  /** The inboxes of a run and the subflows in it that receive events. */
  *inboxesOf(run: number): Task<readonly string[]> {
    const cached = yield* this.#cached(run);
    return cached
      ? [...cached.records.keys()]
      : (yield* this.#core.sql.subscriptions.all(run)).map(({ inbox }) => inbox);
  }

  /** The age of a run, or a subflow in it, that receives events. */
  *ageOf(run: number, inbox: string): Task<readonly number[]> {
    const cached = yield* this.#cached(run);
    if (cached) return cached.ages.get(inbox) ?? [run];
    const row = yield* this.#core.sql.subscription.get(run, inbox);
    return row ? ageOf(row) : [run];
  }

  /** The open waits at a step in a partition. */
  *openWaits(partition: string, step: string): Task<readonly WaitOfRun[]> {
    return (yield* this.#core.sql.openWaits.all(partition, step)).flatMap(
      (row) => this.#readWithRecord({ ...row, partition, step }) ?? [],
    );
  }

  /**
   * The open waits at a step in a partition in the order of their root runs, oldest first; those of one root run in any
   * order. They are read in pages that grow, each with all waits of its root runs.
   */
  openWaitsInOrder(partition: string, step: string): WaitPages {
    const { sql } = this.#core;
    let [size, last, isFull] = [firstPage, -1, true];
    const next = function* (this: WaitStore): Task<readonly WaitOfRun[] | undefined> {
      if (!isFull) return undefined;
      let rows = yield* sql.openWaitsAfter.all(partition, step, last, size);
      isFull = rows.length === size;
      if (isFull) {
        const cut = rows.at(-1)!.root;
        const whole = rows.filter(({ root }) => root !== cut);
        rows = whole.length > 0 ? whole : yield* sql.openWaitsOfRoot.all(partition, step, cut);
        last = rows.at(-1)!.root;
      }
      size = Math.min(size * 4, maxPage);
      return rows.flatMap((row) => this.#readWithRecord({ ...row, partition, step }) ?? []);
    };
    return { next: next.bind(this) };
  }

  /** A wait by its row. A damaged one is deleted, and undefined: its run replays and begins it again. */
  read(row: Omit<WaitRow, "dropping">): StoredWait | undefined {
    const cached = this.#cache.get(row.run)?.waits.get(row.key);
    if (cached) return cached;
    try {
      return waitIn(row);
    } catch (reason) {
      this.#beginAgain(row, reason);
      return undefined;
    }
  }

  /** Stores a wait. */
  put(wait: StoredWait, isNew: boolean): void {
    const { sql } = this.#core;
    const { id, run: name, step, data: _, ...rest } = wait;
    const [run, key] = partsOf(id);
    const [open, dropping] = [isOver(wait) ? 0 : 1, rest.dropped === undefined ? 0 : 1];
    const text = JSON.stringify(rest);
    if (isNew) sql.putWait.run(run, key, partsOf(name)[1], step, partitionIn(wait), wait.age[0]!, open, dropping, text);
    else sql.changeWait.run(open, dropping, text, run, key);
    this.#cache.get(run)?.waits.set(key, wait);
  }

  /** Deletes a wait. */
  remove(id: string): void {
    const [run, key] = partsOf(id);
    this.#core.sql.removeWait.run(run, key);
    this.#cache.get(run)?.waits.delete(key);
  }

  /** A run or a subflow of a workflow receives events. */
  *join({ run, inbox, workflow, after, value, root = run }: NewSubscription): Task<void> {
    const { sql } = this.#core;
    const text = value === undefined ? null : JSON.stringify(value);
    const number = root === run && inbox === "" ? 0 : (yield* sql.nextSubflow.get(root))!.number;
    sql.subscribe.run(run, inbox, workflow, after ?? null, text, root, number);
    this.#cache.get(run)?.ages.set(inbox, ageOf({ root, number }));
    const record = { ...(after !== undefined && { after }), ...(value !== undefined && { value }) };
    this.#cache.get(run)?.records.set(inbox, record);
  }

  /** Stores what is known of a run or a subflow. */
  *putRecord(name: string, record: RunRecord, isKnown: boolean): Task<void> {
    const { sql } = this.#core;
    const { after, value, bound } = record;
    const [run, inbox] = partsOf(name);
    if (!isKnown) {
      yield* this.join({ run, inbox, workflow: (yield* sql.run.get(run))!.workflow, after, value });
      return;
    }
    const [text, boundText] = [value, bound].map((each) => (each === undefined ? null : JSON.stringify(each)));
    sql.setRecord.run(after ?? null, text!, boundText!, run, inbox);
    const { start: _, ...stored } = record;
    this.#cache.get(run)?.records.set(inbox, stored);
  }

  /** A run or a subflow receives no more events. */
  removeRecord(name: string): void {
    const [run, inbox] = partsOf(name);
    this.#core.sql.unsubscribe.run(run, inbox);
    this.#cache.get(run)?.records.delete(inbox);
    this.#cache.get(run)?.ages.delete(inbox);
  }

  /** Caches what is stored of a run that is now created: nothing so far. It is loaded after the transaction. */
  addRun(run: number): void {
    const { processes, options } = this.#core;
    if (processes.isAlone && !options.isPaused)
      this.#cache.set(run, { waits: new Map(), records: new Map(), ages: new Map() });
  }

  /** A run has left memory. */
  release(run: number): void {
    this.#cache.delete(run);
  }

  /** Changes have been undone. */
  clear(): void {
    this.#cache.clear();
  }

  *#cached(run: number): Task<RunRows | undefined> {
    const known = this.#cache.get(run);
    if (known) return known;
    const { processes, live, sql } = this.#core;
    if (!processes.isAlone || !live.has(run)) return undefined;
    const waits = new Map<string, StoredWait>();
    for (const row of yield* sql.waitsOfRun.all(run)) {
      const wait = this.read(row);
      if (wait) waits.set(row.key, wait);
    }
    const subscriptions = yield* sql.subscriptions.all(run);
    const records = new Map(subscriptions.map((row) => [row.inbox, recordIn(row)]));
    const ages = new Map(subscriptions.map((row) => [row.inbox, ageOf(row)]));
    const rows: RunRows = { waits, records, ages };
    this.#cache.set(run, rows);
    return rows;
  }

  #readWithRecord(row: Omit<WaitRow, "dropping"> & RecordRow): WaitOfRun | undefined {
    const wait = this.read(row);
    if (!wait) return undefined;
    const cached = this.#cache.get(row.run);
    if (cached) return { wait, record: cached.records.get(row.inbox) };
    return { wait, record: row.after === null ? undefined : recordIn(row) };
  }

  #beginAgain({ run, key }: Pick<WaitRow, "run" | "key">, reason: unknown): void {
    const { live, log, wake } = this.#core;
    this.remove(runName(run, key));
    log({
      level: "error",
      message: "A wait cannot be read in the store; it begins again.",
      key,
      reason: String(reason),
    });
    setImmediate(() => {
      live.get(run)?.drop();
      wake(run);
    });
  }
}

/** Pages of waits in the order of matching. */
export interface WaitPages {
  /** The next page; undefined after the last one. */
  next(): Task<readonly WaitOfRun[] | undefined>;
}

/** How many waits are read at once, at first and at most. */
const [firstPage, maxPage] = [4, 1024];
