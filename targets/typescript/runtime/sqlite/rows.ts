import type { Partition, RunRecord, StoredEvent, StoredWait, ValueBindings } from "../../../../src/events/partition.ts";
import type { Json } from "../../../../src/json.ts";
import type { Core } from "./core.ts";
import { partitionOfRun, partitionOfStart, type Routes } from "./routes.ts";
import type { RecordRow, SubscriptionRow, WaitRow } from "./statements.ts";

/** The broker's name of a run, or of a subflow in it: the keys of all its effects begin with `inbox`. */
export const runName = (run: number, inbox: string): string => `${run} ${inbox}`;

/** The parts of such a name, or of the id of a wait, which consists of a run and a key. */
export function partsOf(name: string): readonly [run: number, rest: string] {
  const end = name.indexOf(" ");
  return [Number(name.slice(0, end)), name.slice(end + 1)];
}

/**
 * A wait of the store. Positions may be infinite, for which JSON has no number. Waits of earlier forms contain no age.
 */
export function waitIn({ run, key, inbox, step, partition, root, text }: Omit<WaitRow, "dropping">): StoredWait {
  const rest = JSON.parse(text) as Omit<StoredWait, "id" | "run" | "step" | "age" | "data"> & Partial<StoredWait>;
  const { age = [root] } = rest;
  const position = rest.position.map((index: number | null) => index ?? Number.POSITIVE_INFINITY);
  return { ...rest, age, position, id: runName(run, key), run: runName(run, inbox), step, data: { partition } };
}

/** The age of a run or a subflow: that of its root run, which is numbered when it begins, and then its own number. */
export const ageOf = ({ root, number }: Pick<SubscriptionRow, "root" | "number">): readonly number[] =>
  number === 0 ? [root] : [root, number];

/** The partition of a stored wait. */
export const partitionIn = ({ data }: StoredWait): string => (data as { readonly partition: string }).partition;

/** What is known of a run, or a subflow in it; undefined if it receives no events. */
export function recordIn({ after, value, bound }: RecordRow): RunRecord {
  return {
    ...(after !== null && { after }),
    ...(value !== null && { value: JSON.parse(value) as Json }),
    ...(bound !== null && { bound: JSON.parse(bound) as ValueBindings }),
  };
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

/** The partitions where waits find an event. */
function partitionsOf(
  { event, isFree, runs = [], collectedBy = [] }: StoredEvent,
  routes: Routes,
): ReadonlySet<string> {
  const partitions = new Set(isFree ? routes.routeOf(event).partitions : []);
  for (const run of runs) partitions.add(partitionOfRun(run));
  for (const workflow of collectedBy) partitions.add(partitionOfStart(workflow));
  return partitions;
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
