import { compareWaits } from "../../../../src/events/draft.ts";
import {
  emptyPartition,
  type Partition,
  type RunRecord,
  type StoredEvent,
  type StoredWait,
  type ValueBindings,
} from "../../../../src/events/partition.ts";
import type { Json } from "../../../../src/json.ts";
import type { Core } from "./core.ts";
import { storedEvent } from "./reading.ts";
import { eventsIn } from "./recorded-answer.ts";
import { anyPartition, partitionOfRun, partitionOfStart, type Routes } from "./routes.ts";
import type { EventRow, RecordRow, WaitRow } from "./statements.ts";

/** The broker's name of a run, or of a subflow in it: the keys of all its effects begin with `inbox`. */
export const runName = (run: number, inbox: string): string => `${run} ${inbox}`;

/** The parts of such a name, or of the id of a wait, which consists of a run and a key. */
export function partsOf(name: string): readonly [run: number, rest: string] {
  const end = name.indexOf(" ");
  return [Number(name.slice(0, end)), name.slice(end + 1)];
}

/** The part of the events and waits of a store that one decision needs. Within a transaction. */
export class Scope {
  readonly #core: Core;
  readonly #waits = new Map<string, StoredWait>();
  readonly #events = new Map<number, StoredEvent>();
  readonly #runs = new Map<string, RunRecord | undefined>();
  readonly #partitions = new Set<string>();
  /** The events that are stored only in the journals of the runs that have used them. */
  readonly used = new Set<number>();

  constructor(core: Core) {
    this.#core = core;
  }

  get waits(): Iterable<StoredWait> {
    return this.#waits.values();
  }

  /** Adds a wait; undefined if it is not stored. */
  addWait(run: number, key: string): StoredWait | undefined {
    const row = this.#core.sql.wait.get(run, key);
    if (!row) return undefined;
    this.#addWaits([row]);
    this.#addRecord(row);
    return this.#waits.get(runName(run, key));
  }

  addWaitsOfRun(run: number, inbox: string): void {
    this.#addWaits(this.#core.sql.waitsOfRun.all(run).filter((row) => row.inbox === inbox));
  }

  addWaitsIn(partition: string, step: string): void {
    const rows = this.#core.sql.waitsIn.all(partition, step);
    this.#addWaits(rows);
    for (const row of rows) this.#addRecord(row);
  }

  /** Adds the waits that may have discarded events of partitions. */
  addDroppingWaits(partitions: Iterable<string>): void {
    const { sql } = this.#core;
    const all = new Set(partitions);
    if (all.has(anyPartition)) this.#addWaits(sql.allDroppingWaits.all());
    else for (const partition of [...all, anyPartition]) this.#addWaits(sql.droppingWaits.all(partition));
  }

  /** Adds the events that a wait has used, as its answer contains them. */
  addUsedEvents({ id, end }: StoredWait): void {
    const { sql } = this.#core;
    for (const { order } of end?.uses ?? []) this.addEvent(order);
    const orders = new Set(end?.uses.map(({ order }) => order).filter((order) => !this.#events.has(order)));
    if (orders.size === 0) return;
    for (const { order, event, isNew } of eventsIn(sql.result.get(...partsOf(id))?.value ?? null)) {
      if (!orders.has(order)) continue;
      const at = sql.arrival.get(order)?.at ?? end!.at;
      this.#events.set(order, { order, at, event, isFree: false, users: [id], ...(isNew && { isNew }) });
      this.used.add(order);
    }
  }

  addEvent(order: number): void {
    const row = this.#core.sql.event.get(order);
    if (row) this.#addEvents([row]);
  }

  /** Adds the stored events of a partition, of some types only if these are known. */
  addEventsIn(partition: string, types?: readonly string[] | undefined): void {
    const { sql } = this.#core;
    const wanted = JSON.stringify([partition, types]);
    if (this.#partitions.has(wanted)) return;
    this.#partitions.add(wanted);
    if (partition === anyPartition) this.#addEvents(sql.storedEvents.all());
    else if (types) this.#addEvents(sql.keptOfTypes.all(partition, JSON.stringify(types)));
    else this.#addEvents(sql.kept.all(partition));
  }

  addRun(name: string): RunRecord | undefined {
    if (!this.#runs.has(name)) {
      const [run, inbox] = partsOf(name);
      const row = this.#core.sql.subscription.get(run, inbox);
      this.#runs.set(name, row && recordOf(row));
    }
    return this.#runs.get(name);
  }

  /** What was added, with the records of the runs that wait. */
  partition(): Partition {
    const events = [...this.#events.values()].sort((a, b) => a.order - b.order);
    const waits = [...this.#waits.values()].sort(compareWaits);
    for (const { run } of waits) this.addRun(run);
    const known = [...this.#runs].filter((entry): entry is [string, RunRecord] => entry[1] !== undefined);
    const next = (events.at(-1)?.order ?? 0) + 1;
    return { ...emptyPartition, next, events, waits, runs: Object.fromEntries(known) };
  }

  #addRecord(row: Pick<WaitRow, "run" | "inbox"> & RecordRow): void {
    this.#runs.set(runName(row.run, row.inbox), row.after === null ? undefined : recordOf(row));
  }

  #addWaits(rows: readonly WaitRow[]): void {
    for (const row of rows) {
      const id = runName(row.run, row.key);
      if (this.#waits.has(id)) continue;
      try {
        this.#waits.set(id, waitIn(row));
      } catch (reason) {
        this.#beginAgain(row, reason);
      }
    }
  }

  #addEvents(rows: readonly EventRow[]): void {
    for (const row of rows) {
      if (this.#events.has(row.ref)) continue;
      const event = storedEvent(this.#core, row.ref, row.text);
      if (event) this.#events.set(row.ref, { ...JSON.parse(row.state), order: row.ref, at: row.at, event });
      else removeEvent(this.#core, row.ref);
    }
  }

  /** Forgets a damaged wait: its run replays and begins it again. */
  #beginAgain({ run, key }: WaitRow, reason: unknown): void {
    const { sql, live, log, wake } = this.#core;
    sql.removeWait.run(run, key);
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

/**
 * Stores an event that some wait may use, or a missing version may know. Those that waits have used are in the journals
 * of their runs. Within a transaction.
 */
export function putEvent(
  { sql }: Core,
  routes: Routes,
  event: StoredEvent,
  before: StoredEvent | undefined,
  isMissed: boolean,
): void {
  const { order } = event;
  const partitions = partitionsOf(event, routes);
  const isStored = partitions.size > 0 || (event.users ? routes.hasDrops : isMissed);
  if (!isStored) {
    if (before) removeEvent({ sql }, order);
    return;
  }
  const { order: _, at: __, event: ___, ...state } = event;
  if (before) sql.setState.run(JSON.stringify(state), order);
  else sql.storeEvent.run(JSON.stringify(event.event), JSON.stringify(state), order);
  const old = before ? partitionsOf(before, routes) : new Set<string>();
  if (old.size === partitions.size && [...old].every((each) => partitions.has(each))) return;
  if (before) sql.releaseAll.run(order);
  for (const partition of partitions) sql.keep.run(partition, String(event.event["type"]), order);
}

/** Deletes the content of an event, which is still recognized if it arrives again. Within a transaction. */
export function removeEvent({ sql }: Pick<Core, "sql">, order: number): void {
  sql.releaseAll.run(order);
  sql.forgetEvent.run(order);
}

/** Stores a wait. Within a transaction. */
export function putWait({ sql }: Core, { id, run: name, step, data, ...rest }: StoredWait, isNew: boolean): void {
  const [run, key] = partsOf(id);
  const { partition } = data as { readonly partition: string };
  const dropping = rest.dropped === undefined ? 0 : 1;
  const text = JSON.stringify(rest);
  if (isNew) sql.putWait.run(run, key, partsOf(name)[1], step, partition, dropping, text);
  else sql.changeWait.run(dropping, text, run, key);
}

/** The partitions where waits find an event. */
export function partitionsOf(
  { event, isFree, runs = [], collectedBy = [] }: StoredEvent,
  routes: Routes,
): ReadonlySet<string> {
  const partitions = new Set(isFree ? routes.partitionsOf(event) : []);
  for (const run of runs) partitions.add(partitionOfRun(run));
  for (const workflow of collectedBy) partitions.add(partitionOfStart(workflow));
  return partitions;
}

/** A wait of the store. Positions may be infinite, which JSON has no number for. */
export function waitIn({ run, key, inbox, step, partition, text }: WaitRow): StoredWait {
  const rest = JSON.parse(text) as Omit<StoredWait, "id" | "run" | "step" | "data">;
  const position = rest.position.map((index: number | null) => index ?? Number.POSITIVE_INFINITY);
  return { ...rest, position, id: runName(run, key), run: runName(run, inbox), step, data: { partition } };
}

function recordOf({ after, value, bound }: RecordRow): RunRecord {
  return {
    ...(after !== null && { after }),
    ...(value !== null && { value: JSON.parse(value) as Json }),
    ...(bound !== null && { bound: JSON.parse(bound) as ValueBindings }),
  };
}

/** A partition with the names that started runs have in the store. */
export function renamed(
  partition: Partition,
  started: ReadonlyMap<string, { readonly ref: number; readonly value: Json | undefined }>,
): Partition {
  if (started.size === 0) return partition;
  const nameOf = (run: string) => (started.has(run) ? runName(started.get(run)!.ref, "") : run);
  const events = partition.events.map((event) =>
    event.runs?.some((run) => started.has(run)) ? { ...event, runs: event.runs.map(nameOf) } : event,
  );
  const runs = Object.entries(partition.runs).map(([run, record]) => {
    const value = started.get(run)?.value;
    return [nameOf(run), value === undefined ? record : { ...record, value }] as const;
  });
  return { ...partition, events, runs: Object.fromEntries(runs) };
}
