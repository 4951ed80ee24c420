import { changesBetween, type Entry as PartitionEntry, partitionFrom } from "../../../src/events/changes.ts";
import { compareWaits, withoutUndefined } from "../../../src/events/draft.ts";
import type { Partition, RunRecord, StoredEvent } from "../../../src/events/partition.ts";
import { equalJson, type Json, own } from "../../../src/json.ts";
import { type Form1Partition, readForm1 } from "./form1.ts";
import {
  type Entry,
  eventEntries,
  eventKeys,
  form,
  type Item,
  type Layout,
  readEvent,
  readHead,
  sortKeys,
  startEntry,
  type WaitBody,
  waitEntry,
} from "./items.ts";

/** The stored state of a partition. */
export interface StoredPartition {
  readonly name: string;
  /** Increases with every change; 0: it does not exist yet. */
  readonly version: number;
  readonly partition: Partition;
  /** How often functions have repeated the effects of waits that are over, by the waits' ids. */
  readonly attempts: ReadonlyMap<string, number>;
  /** The sort keys of waits and starts, by kind and id. */
  readonly keys: ReadonlyMap<string, string>;
  /** The key by whose value the group is partitioned, as the head of the common partition says. */
  readonly key?: string | undefined;
  readonly form1?: Form1Partition | undefined;
  /** Kept events were not read. */
  readonly isPartial?: true | undefined;
}

/** Reads a partition of its items. Waits and starts have what is known of their runs. */
export function readPartition(
  name: string,
  items: readonly Item[],
  { rules }: Layout,
  parse: (item: Item) => unknown,
): StoredPartition {
  const entries: PartitionEntry[] = [];
  /** Records with a start precede those that waits have. */
  const starts: PartitionEntry[] = [];
  const keys = new Map<string, string>();
  const attempts = new Map<string, number>();
  const contents = new Map<string, string | undefined>();
  for (const { sk, content } of items) if (content) contents.set(sk!.S!, content.S);
  let head = { version: 0, form, key: undefined as string | undefined };
  for (const item of items) {
    const sk = item["sk"]!.S!;
    if (sk.startsWith("received#")) {
      const event = item["body"] && readEvent(item, parse(item) as StoredEvent, contents);
      if (event) entries.push({ kind: "event", id: sk, event });
    } else if (sk.startsWith("pending#") || sk.startsWith("waiting#")) {
      const { wait, run, attempts: count } = parse(item) as WaitBody;
      keys.set(`wait ${wait.id}`, sk);
      if (count !== undefined) attempts.set(wait.id, count);
      entries.push({ kind: "wait", id: wait.id, wait });
      if (run) entries.push({ kind: "run", id: wait.run, run });
    } else if (sk.startsWith("starting#")) {
      const { run, record } = parse(item) as { readonly run: string; readonly record: RunRecord };
      keys.set(`start ${run}`, sk);
      starts.push({ kind: "run", id: run, run: record });
    } else if (sk === sortKeys.head) {
      const stored = readHead(item);
      head = stored;
      entries.push({ kind: "head", head: stored.head });
    }
  }
  const form1 = items.some(isForm1) ? readForm1(items, rules) : undefined;
  const all = [...(form1?.entries ?? []), ...entries, ...starts];
  return {
    name,
    version: head.version,
    key: head.key,
    partition: partitionFrom(all, compareWaits),
    attempts: new Map([...(form1?.attempts ?? []), ...attempts]),
    keys: new Map([...(form1?.keys ?? []), ...keys]),
    form1,
  };
}

const isForm1 = ({ sk }: Item): boolean => /^(?:event|wait|start)#/.test(sk!.S!);

/** The partition after a step, and how often effects have been repeated. */
export interface PartitionChange {
  readonly partition: Partition;
  readonly attempts: ReadonlyMap<string, number>;
}

/** What a change writes besides the head. */
export interface ItemChanges {
  readonly put: readonly Entry[];
  /** The sort keys of items that are deleted. */
  readonly deleted: readonly string[];
  /** What has changed of runs, and outlasts their waits in this partition. */
  readonly runs: ReadonlyMap<string, RunRecord>;
  /** As in `StoredPartition`. */
  readonly keys: ReadonlyMap<string, string>;
}

/** The items that a change writes. */
export function itemChanges(stored: StoredPartition, after: PartitionChange, layout: Layout, now: number): ItemChanges {
  const { partition: before, attempts, form1 } = stored;
  const entries: Entry[] = [];
  const deletedKeys: string[] = [];
  const runs = new Map<string, RunRecord>();
  const keys = new Map(stored.keys);
  const place = (kind: string, id: string, entry: Entry | undefined): void => {
    const known = keys.get(`${kind} ${id}`);
    if (known !== undefined && known !== entry?.sk) deletedKeys.push(known);
    if (entry) {
      entries.push(entry);
      keys.set(`${kind} ${id}`, entry.sk);
    } else keys.delete(`${kind} ${id}`);
  };
  const { put, deleted } = changesBetween(before, after.partition);
  const waits = new Set([...after.attempts].flatMap(([id, count]) => (attempts.get(id) === count ? [] : [id])));
  for (const entry of put) {
    if (entry.kind === "event") {
      const earlier = form1?.eventKeys.get(entry.event.order);
      const isNew = entry.event.order >= before.next || earlier !== undefined;
      deletedKeys.push(...(earlier ?? []));
      entries.push(...eventEntries(entry.event, isNew, layout));
    } else if (entry.kind === "wait") waits.add(entry.id);
    else if (entry.kind === "run") {
      const { id, run } = entry;
      place("start", id, run.start && startEntry(id, run, now));
      if (equalJson(lastingOf(before.runs[id]), lastingOf(run))) continue;
      runs.set(id, lastingOf(run));
      for (const wait of after.partition.waits) if (wait.run === id) waits.add(wait.id);
    }
  }
  for (const wait of after.partition.waits)
    if (waits.has(wait.id)) {
      const run = own(after.partition.runs, wait.run);
      const body = { wait, run: run && lastingOf(run), attempts: after.attempts.get(wait.id) };
      place("wait", wait.id, waitEntry(body, layout));
    }
  for (const { kind, id } of deleted) {
    if (kind === "wait") place("wait", id, undefined);
    if (kind !== "event") continue;
    const event = before.events.find(({ order }) => order === Number(id))!;
    deletedKeys.push(...(form1?.eventKeys.get(event.order) ?? []), ...eventKeys(event));
  }
  return { put: entries, deleted: deletedKeys, runs, keys };
}

/** What of a run outlasts its start and its waits. */
const lastingOf = ({ start: _, ...record }: RunRecord = {}): Json & RunRecord =>
  withoutUndefined(record) as Json & RunRecord;
