import type { Changes, Entry } from "../../../../../src/events/changes.ts";
import type { Partition, StoredEvent, StoredWait } from "../../../../../src/events/partition.ts";
import type { JsonObject } from "../../../../../src/json.ts";
import { changesBetween, compareWaits, emptyPartition, partitionFrom } from "../../internal.ts";
import type { ObjectContext } from "./sdk.ts";

// The documents of partitions: each is one entry of the object's state, and what is long in it has entries of its own,
// because the requests of Restate are bounded.

/** The state of the object, as an operation reads and changes it. */
export interface ObjectState extends Pick<ObjectContext, "get" | "set" | "clear" | "stateKeys"> {
  /** Changes a partition. */
  change(partition: string, changes: Changes): void;
}

/** Begins the keys of partitions. */
export const partitionPrefix = "partition:";

/** Reads a partition. */
export async function readPartition(state: Pick<ObjectState, "get">, name: string): Promise<Partition> {
  const document = await state.get<PartitionDocument>(partitionPrefix + name);
  if (!document) return emptyPartition;
  const { events, waits, ...rest } = document;
  const whole = async (known: JsonObject | undefined, key: string) => known ?? (await state.get<JsonObject>(key))!;
  const [contents, variables] = [
    events.map(({ event, order }) => whole(event, eventKey(name, order))),
    waits.map((wait) => whole(wait.variables, variablesKey(name, wait.id))),
  ];
  const [wholeEvents, wholeWaits]: [StoredEvent[], StoredWait[]] = [[], []];
  for (const [i, each] of events.entries()) wholeEvents.push({ ...each, event: await contents[i]! });
  for (const [i, each] of waits.entries()) wholeWaits.push({ ...each, variables: await variables[i]! });
  return { ...rest, events: wholeEvents, waits: wholeWaits };
}

/** The keys of the entries for what is long in the partition that is stored under a key. */
export function longKeysIn(key: string, document: unknown): readonly string[] {
  if (!key.startsWith(partitionPrefix) || document === null) return [];
  const name = key.slice(partitionPrefix.length);
  const { events, waits } = document as PartitionDocument;
  return [
    ...events.flatMap(({ event, order }) => (event ? [] : [eventKey(name, order)])),
    ...waits.flatMap(({ variables, id }) => (variables ? [] : [variablesKey(name, id)])),
  ];
}

/** Writes the changes of a partition. */
export function writePartition(
  state: Pick<ObjectContext, "set" | "clear">,
  name: string,
  before: Partition,
  changes: Changes,
): void {
  for (const entry of changes.put) {
    if (entry.kind === "event" && isLong(entry.event.event))
      state.set(eventKey(name, entry.event.order), entry.event.event);
    if (entry.kind === "wait" && isLong(entry.wait.variables))
      state.set(variablesKey(name, entry.wait.id), entry.wait.variables);
  }
  for (const { kind, id } of changes.deleted) {
    if (kind === "event" && before.events.some(({ order, event }) => `${order}` === id && isLong(event)))
      state.clear(eventKey(name, Number(id)));
    if (kind === "wait" && before.waits.some((wait) => wait.id === id && isLong(wait.variables)))
      state.clear(variablesKey(name, id));
  }
  const after = withChanges(before, changes);
  const { events, waits, runs } = after;
  if (events.length + waits.length + Object.keys(runs).length === 0) state.clear(partitionPrefix + name);
  else state.set(partitionPrefix + name, packed(after));
}

/** A partition with its changes. */
function withChanges(before: Partition, { put, deleted }: Changes): Partition {
  const changed = new Set([...put, ...deleted].map(entryKey));
  const kept = changesBetween(emptyPartition, before).put.filter((entry) => !changed.has(entryKey(entry)));
  return partitionFrom([...kept, ...put], compareWaits);
}

const entryKey = (entry: Entry | Changes["deleted"][number]): string =>
  "id" in entry ? `${entry.kind}:${entry.id}` : entry.kind;

/** A partition without what is long in it. */
interface PartitionDocument extends Omit<Partition, "events" | "waits"> {
  readonly events: readonly (Omit<StoredEvent, "event"> & { readonly event?: JsonObject })[];
  readonly waits: readonly (Omit<StoredWait, "variables"> & { readonly variables?: JsonObject })[];
}

const packed = ({ events, waits, ...rest }: Partition): PartitionDocument => ({
  ...rest,
  events: events.map(({ event, ...each }) => ({ ...each, ...(!isLong(event) && { event }) })),
  waits: waits.map(({ variables, ...each }) => ({ ...each, ...(!isLong(variables) && { variables }) })),
});

const eventKey = (partition: string, order: number): string => `event:${order}:${partition}`;

const variablesKey = (partition: string, wait: string): string => `variables:${JSON.stringify([wait, partition])}`;

const isLong = (value: JsonObject): boolean => {
  const known = lengths.get(value) ?? JSON.stringify(value).length;
  lengths.set(value, known);
  return known > maxInline;
};

const lengths = new WeakMap<JsonObject, number>();

/** Longer values have entries of their own. */
const maxInline = 2000;

/** Awaits promises in their order, which is the same when an operation is replayed. */
export async function inOrder<T>(promises: readonly Promise<T>[]): Promise<readonly T[]> {
  const results: T[] = [];
  for (const promise of promises) results.push(await promise);
  return results;
}
