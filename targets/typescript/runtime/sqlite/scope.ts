import { compareWaits } from "../../../../src/events/draft.ts";
import {
  emptyPartition,
  type Partition,
  type RunRecord,
  type StoredEvent,
  type StoredWait,
} from "../../../../src/events/partition.ts";
import type { Core } from "./core.ts";
import { storedEvent } from "./reading.ts";
import { eventsIn } from "./recorded-answer.ts";
import { anyPartition } from "./routes.ts";
import { partsOf, removeEvent, runName } from "./rows.ts";
import type { EventRow, WaitRow } from "./statements.ts";
import type { Task } from "./store.ts";
import type { WaitOfRun, WaitStore } from "./wait-store.ts";

/** The part of the events and waits of a store that one decision needs. Within a transaction. */
export class Scope {
  readonly #core: Core;
  readonly #store: WaitStore;
  readonly #waits = new Map<string, StoredWait>();
  readonly #events = new Map<number, StoredEvent>();
  readonly #runs = new Map<string, RunRecord | undefined>();
  readonly #partitions = new Set<string>();
  /** The events that are stored only in the journals of the runs that have used them. */
  readonly used = new Set<number>();

  constructor(core: Core, store: WaitStore) {
    this.#core = core;
    this.#store = store;
  }

  get waits(): Iterable<StoredWait> {
    return this.#waits.values();
  }

  /** Adds a wait; undefined if it is not stored. */
  *addWait(run: number, key: string): Task<StoredWait | undefined> {
    const found = yield* this.#store.find(run, key);
    if (!found) return undefined;
    this.add(found);
    return this.#waits.get(runName(run, key));
  }

  /** Adds a wait with the record of its run. */
  add({ wait, record }: WaitOfRun): void {
    if (!this.#waits.has(wait.id)) this.#waits.set(wait.id, wait);
    if (!this.#runs.has(wait.run)) this.#runs.set(wait.run, record);
  }

  /** Removes a wait that a command has not changed. */
  delete({ id }: StoredWait): void {
    this.#waits.delete(id);
  }

  *addWaitsOfRun(run: number, inbox: string): Task<void> {
    const name = runName(run, inbox);
    for (const wait of yield* this.#store.waitsOf(run))
      if (wait.run === name && !this.#waits.has(wait.id)) this.#waits.set(wait.id, wait);
  }

  *addOpenWaits(partition: string, step: string): Task<void> {
    for (const each of yield* this.#store.openWaits(partition, step)) this.add(each);
  }

  /** Adds the waits that may have discarded events of partitions. */
  *addDroppingWaits(partitions: Iterable<string>): Task<void> {
    const { sql } = this.#core;
    const all = new Set(partitions);
    const add = (row: WaitRow) => {
      const wait = this.#store.read(row);
      if (wait && !this.#waits.has(wait.id)) this.#waits.set(wait.id, wait);
    };
    if (all.has(anyPartition)) (yield* sql.allDroppingWaits.all()).forEach(add);
    else for (const partition of [...all, anyPartition]) (yield* sql.droppingWaits.all(partition)).forEach(add);
  }

  /** Adds the events that a wait has used, as its answer contains them. */
  *addUsedEvents({ id, end }: StoredWait): Task<void> {
    const { sql } = this.#core;
    for (const { order } of end?.uses ?? []) yield* this.addEvent(order);
    const orders = new Set(end?.uses.map(({ order }) => order).filter((order) => !this.#events.has(order)));
    if (orders.size === 0) return;
    for (const { order, event, isNew } of eventsIn((yield* sql.result.get(...partsOf(id)))?.value ?? null)) {
      if (!orders.has(order)) continue;
      const at = (yield* sql.arrival.get(order))?.at ?? end!.at;
      this.#events.set(order, { order, at, event, isFree: false, users: [id], ...(isNew && { isNew }) });
      this.used.add(order);
    }
  }

  *addEvent(order: number): Task<void> {
    const row = yield* this.#core.sql.event.get(order);
    if (row) this.#addEvents([row]);
  }

  /** Adds the stored events of a partition behind an order, of some types only if these are known. */
  *addEventsIn(partition: string, types?: readonly string[] | undefined, after = 0): Task<void> {
    const { sql } = this.#core;
    const wanted = JSON.stringify([partition, types, after]);
    if (this.#partitions.has(wanted)) return;
    this.#partitions.add(wanted);
    if (partition === anyPartition) this.#addEvents(yield* sql.storedEvents.all(after));
    else if (types) this.#addEvents(yield* sql.keptOfTypes.all(partition, JSON.stringify(types), after));
    else this.#addEvents(yield* sql.kept.all(partition, after));
  }

  *addRun(name: string): Task<RunRecord | undefined> {
    if (!this.#runs.has(name)) this.#runs.set(name, yield* this.#store.record(name));
    return this.#runs.get(name);
  }

  /** What was added, with the records of the runs that wait. */
  *partition(): Task<Partition> {
    const events = [...this.#events.values()];
    if (events.length > 1) events.sort((a, b) => a.order - b.order);
    const waits = [...this.#waits.values()];
    if (waits.length > 1) waits.sort(compareWaits);
    const runs: { [run: string]: RunRecord } = {};
    for (const { run } of waits) yield* this.addRun(run);
    for (const [run, record] of this.#runs) if (record) runs[run] = record;
    const next = (events.at(-1)?.order ?? 0) + 1;
    return { next, events, waits, runs, seen: emptyPartition.seen };
  }

  #addEvents(rows: readonly EventRow[]): void {
    for (const row of rows) {
      if (this.#events.has(row.ref)) continue;
      const event = storedEvent(this.#core, row.ref, row.text);
      if (event) this.#events.set(row.ref, { ...JSON.parse(row.state), order: row.ref, at: row.at, event });
      else removeEvent(this.#core, row.ref);
    }
  }
}
