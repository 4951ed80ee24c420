import { emptyPartition, type Partition, type RunRecord, type StoredEvent, type StoredWait } from "./partition.ts";

/** One item of a partition, for stores that keep items apart. The head is the partition without its items. */
export type Entry =
  | { readonly kind: "head"; readonly head: Head }
  | { readonly kind: "event"; readonly id: string; readonly event: StoredEvent }
  | { readonly kind: "wait"; readonly id: string; readonly wait: StoredWait }
  | { readonly kind: "run"; readonly id: string; readonly run: RunRecord }
  | { readonly kind: "seen"; readonly id: string; readonly at: number };

/** What a partition is besides its items. */
export type Head = Pick<Partition, "next" | "isUnsettled">;

/** What a step has changed. */
export interface Changes {
  readonly put: readonly Entry[];
  readonly deleted: readonly { readonly kind: Exclude<Entry["kind"], "head">; readonly id: string }[];
}

/** The changes that a step made to a partition. Unchanged items are the same objects. */
export function changesBetween(before: Partition, after: Partition): Changes {
  const put: Entry[] = [];
  const deleted: { kind: Exclude<Entry["kind"], "head">; id: string }[] = [];
  if (before.next !== after.next || before.isUnsettled !== after.isUnsettled)
    put.push({ kind: "head", head: headOf(after) });
  const compare = <Item>(
    kind: Exclude<Entry["kind"], "head">,
    old: ReadonlyMap<string, Item>,
    now: ReadonlyMap<string, Item>,
    entry: (id: string, item: Item) => Entry,
  ) => {
    for (const [id, item] of now) if (old.get(id) !== item) put.push(entry(id, item));
    for (const id of old.keys()) if (!now.has(id)) deleted.push({ kind, id });
  };
  if (before.events !== after.events) {
    const { put: events, deleted: orders } = changedEvents(before.events, after.events);
    for (const event of events) put.push({ kind: "event", id: String(event.order), event });
    for (const order of orders) deleted.push({ kind: "event", id: String(order) });
  }
  if (before.waits !== after.waits)
    compare("wait", byId(before.waits), byId(after.waits), (id, wait) => ({ kind: "wait", id, wait }));
  if (before.runs !== after.runs)
    compare("run", mapOf(before.runs), mapOf(after.runs), (id, run) => ({ kind: "run", id, run }));
  if (before.seen !== after.seen)
    compare("seen", mapOf(before.seen), mapOf(after.seen), (id, at) => ({ kind: "seen", id, at }));
  return { put, deleted };
}

/** A partition of entries, in any order. */
export function partitionFrom(entries: Iterable<Entry>, compare: (a: StoredWait, b: StoredWait) => number): Partition {
  let head: Head = { next: emptyPartition.next };
  const events: StoredEvent[] = [];
  const waits: StoredWait[] = [];
  const runs = new Map<string, RunRecord>();
  const seen = new Map<string, number>();
  for (const entry of entries) {
    if (entry.kind === "head") head = entry.head;
    else if (entry.kind === "event") events.push(entry.event);
    else if (entry.kind === "wait") waits.push(entry.wait);
    else if (entry.kind === "run") runs.set(entry.id, entry.run);
    else seen.set(entry.id, entry.at);
  }
  return {
    ...head,
    events: events.sort((a, b) => a.order - b.order),
    waits: waits.sort(compare),
    runs: Object.fromEntries(runs),
    seen: Object.fromEntries(seen),
  };
}

const headOf = ({ next, isUnsettled }: Partition): Head => ({ next, ...(isUnsettled && { isUnsettled }) });

/** Both arrays are in order. */
function changedEvents(
  before: readonly StoredEvent[],
  after: readonly StoredEvent[],
): { readonly put: readonly StoredEvent[]; readonly deleted: readonly number[] } {
  const put: StoredEvent[] = [];
  const deleted: number[] = [];
  let i = 0;
  for (const event of after) {
    for (; i < before.length && before[i]!.order < event.order; i++) deleted.push(before[i]!.order);
    const isKnown = before[i]?.order === event.order;
    if (!isKnown || before[i] !== event) put.push(event);
    if (isKnown) i += 1;
  }
  for (; i < before.length; i++) deleted.push(before[i]!.order);
  return { put, deleted };
}

const byId = (waits: readonly StoredWait[]): ReadonlyMap<string, StoredWait> =>
  new Map(waits.map((wait) => [wait.id, wait]));

const mapOf = <Item>(items: { readonly [id: string]: Item }): ReadonlyMap<string, Item> =>
  new Map(Object.entries(items));
