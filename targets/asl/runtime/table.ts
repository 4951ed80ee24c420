import { changesBetween, type Entry as PartitionEntry, partitionFrom } from "../../../src/events/changes.ts";
import { compareWaits } from "../../../src/events/draft.ts";
import type { Partition, RunRecord, StoredEvent } from "../../../src/events/partition.ts";
import { commonPartition } from "../../../src/events/routing.ts";
import { equalJson, type Json, type JsonObject } from "../../../src/json.ts";
import { digest } from "./digest.ts";
import {
  bodyOf,
  type Entry,
  eventEntries,
  eventKeys,
  form,
  hasPendingWork,
  headEntry,
  type Item,
  type Layout,
  parseBody,
  readEvent,
  readHead,
  sortKeys,
  startEntry,
  ttlOf,
  type WaitBody,
  waitEntry,
} from "./items.ts";

/** The part of the client for DynamoDB that is used. */
export interface DynamoDB {
  getItem(request: JsonObject): Promise<{ readonly Item?: Item }>;
  query(request: JsonObject): Promise<{ readonly Items?: readonly Item[]; readonly LastEvaluatedKey?: Item }>;
  transactWriteItems(request: { readonly TransactItems: readonly JsonObject[] }): Promise<unknown>;
}

/** A partition as it was read. */
export interface StoredPartition {
  readonly name: string;
  /** Increases with every change; 0: there is none yet. */
  readonly version: number;
  readonly partition: Partition;
  /** How often functions have repeated the effects of waits that are over, by the waits' ids. */
  readonly attempts: ReadonlyMap<string, number>;
  /** The sort keys of waits and starts, by kind and id. */
  readonly keys: ReadonlyMap<string, string>;
}

/** What a transaction makes of a partition. */
export interface PartitionChange {
  readonly partition: Partition;
  readonly attempts?: ReadonlyMap<string, number> | undefined;
  /** The key of an event that must not have arrived before, in any partition of the group. */
  readonly arrived?: string | undefined;
}

/** `changed`: another function has changed the partition meanwhile; `repeated`: the event has arrived before. */
export type WriteResult = StoredPartition | "changed" | "repeated";

/** The partitions of a group of workflows in a DynamoDB table. A write fails if the partition has changed since. */
export interface EventTable {
  read(name: string, now: number): Promise<StoredPartition>;
  write(before: StoredPartition, change: PartitionChange, now: number): Promise<WriteResult>;
  /** What events have changed of a run, whatever partition its waits are in. */
  readRun(run: string): Promise<RunRecord | undefined>;
  /** The partitions in which functions have work to do. */
  findPending(): Promise<readonly string[]>;
}

const day = 86_400_000;

/** How long a run is known: as long as an execution may take. */
const runKept = 366 * day;

/** The index of partitions with work to do is itself divided, so that it never limits throughput. */
const indexParts = 16;

/** Opens the partitions of a group. */
export function openTable(client: DynamoDB, table: string, group: string, layout: Layout): EventTable {
  const keyOf = (name: string): string => (name === commonPartition ? group : `${group}#${digest(name)}`);
  const indexKey = (name: string): { readonly pk: string; readonly sk: string } => {
    const hash = digest(name);
    return { pk: `${group}#pending#${Number.parseInt(hash.slice(0, 4), 16) % indexParts}`, sk: hash };
  };
  const seenKey = (name: string, key: string): { readonly pk: string; readonly sk: string } =>
    name === commonPartition
      ? { pk: `${group}#seen`, sk: digest(key) }
      : { pk: `${group}#seen#${digest(key)}`, sk: "seen" };
  const put = (pk: string, { sk, attributes, ttl }: Entry, condition: JsonObject = {}): JsonObject => ({
    Put: {
      TableName: table,
      Item: { pk: { S: pk }, sk: { S: sk }, ...(attributes as JsonObject), ttl: { N: String(ttl) } },
      ...condition,
    },
  });
  const remove = (pk: string, sk: string): JsonObject => ({
    Delete: { TableName: table, Key: { pk: { S: pk }, sk: { S: sk } } },
  });

  /** What was parsed of the items of the common partition when it was last read: most do not change. */
  let parsed = new Map<string, ParsedItem>();

  async function queryAll(pk: string, last?: string): Promise<readonly Item[]> {
    const items: Item[] = [];
    let from: Item | undefined;
    do {
      const page = await client.query({
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: last === undefined ? "pk = :pk" : "pk = :pk AND sk <= :last",
        ExpressionAttributeValues: { ":pk": { S: pk }, ...(last !== undefined && { ":last": { S: last } }) },
        ...(from && { ExclusiveStartKey: from as unknown as JsonObject }),
      });
      items.push(...(page.Items ?? []));
      from = page.LastEvaluatedKey;
    } while (from);
    return items;
  }

  /** The writes of a change without the head, and the sort keys of its waits and starts. */
  function writesOf(
    { name, partition: before, attempts, keys }: StoredPartition,
    after: PartitionChange & { readonly attempts: ReadonlyMap<string, number> },
    now: number,
  ): { readonly writes: readonly JsonObject[]; readonly keys: ReadonlyMap<string, string> } {
    const pk = keyOf(name);
    const writes: JsonObject[] = [];
    const placed = new Map(keys);
    const place = (kind: string, id: string, entry: Entry | undefined): void => {
      const known = placed.get(`${kind} ${id}`);
      if (known !== undefined && known !== entry?.sk) writes.push(remove(pk, known));
      if (entry) writes.push(put(pk, entry));
      if (entry) placed.set(`${kind} ${id}`, entry.sk);
      else placed.delete(`${kind} ${id}`);
    };
    const { put: changed, deleted } = changesBetween(before, after.partition);
    const waits = new Set([...after.attempts].flatMap(([id, count]) => (attempts.get(id) === count ? [] : [id])));
    for (const entry of changed) {
      if (entry.kind === "event") {
        const entries = eventEntries(entry.event, entry.event.order >= before.next, layout);
        writes.push(...entries.map((each) => put(pk, each)));
      } else if (entry.kind === "wait") waits.add(entry.id);
      else if (entry.kind === "run") {
        const [old, record] = [before.runs[entry.id], entry.run];
        place("start", entry.id, record.start && startEntry(entry.id, record, now));
        if (equalJson(lastingOf(old), lastingOf(record))) continue;
        writes.push(put(runKeyOf(group, entry.id), runEntry(record, now)));
        for (const { id, run } of after.partition.waits) if (run === entry.id) waits.add(id);
      }
    }
    for (const wait of after.partition.waits)
      if (waits.has(wait.id)) {
        const run = own(after.partition.runs, wait.run);
        const body: WaitBody = { wait, run: run && lastingOf(run), attempts: after.attempts.get(wait.id) };
        place("wait", wait.id, waitEntry(body, layout));
      }
    for (const { kind, id } of deleted) {
      if (kind === "event") {
        const event = before.events.find(({ order }) => order === Number(id))!;
        writes.push(...eventKeys(event).map((sk) => remove(pk, sk)));
      }
      if (kind === "wait") place("wait", id, undefined);
    }
    return { writes, keys: placed };
  }

  return {
    async read(name, now) {
      const items = await queryAll(keyOf(name), sortKeys.last(now));
      if (name !== commonPartition) return partitionOf(name, items, parseItem);
      const known = parsed;
      parsed = new Map();
      return partitionOf(name, items, (item) => {
        const body = reusedBody(item, known);
        if (parsed.size < maxParsed) parsed.set(item["sk"]!.S!, { text: item["body"]!.S!, body });
        return body;
      });
    },

    async write(before, change, now) {
      const attempts = change.attempts ?? before.attempts;
      const { writes, keys } = writesOf(before, { ...change, attempts }, now);
      const { name, version } = before;
      const { partition, arrived } = change;
      const seen = arrived === undefined ? undefined : seenKey(name, arrived);
      const isPending = hasPendingWork(partition);
      const index = indexKey(name);
      const indexEntry = { sk: index.sk, attributes: { name: { S: name } }, ttl: ttlOf(now + runKept) };
      const isIndexed = name !== commonPartition && isPending !== hasPendingWork(before.partition);
      const TransactItems = [
        put(keyOf(name), headEntry(partition, version + 1, now), unchanged(version)),
        ...(seen ? [put(seen.pk, seenEntry(seen.sk, now, layout), absent)] : []),
        ...writes,
        ...(isIndexed ? [isPending ? put(index.pk, indexEntry) : remove(index.pk, index.sk)] : []),
      ];
      try {
        await client.transactWriteItems({ TransactItems });
        return { name, version: version + 1, partition, attempts, keys };
      } catch (error) {
        return refusal(error as CanceledTransaction, seen !== undefined);
      }
    },

    async readRun(run) {
      const Key = { pk: { S: runKeyOf(group, run) }, sk: { S: "run" } };
      const { Item } = await client.getItem({ TableName: table, ConsistentRead: true, Key });
      return Item && readRun(Item);
    },

    async findPending() {
      const parts = Array.from({ length: indexParts }, (_, part) => queryAll(`${group}#pending#${part}`));
      return (await Promise.all(parts)).flat().map((item) => item["name"]!.S!);
    },
  };
}

const absent: JsonObject = { ConditionExpression: "attribute_not_exists(pk)" };

const unchanged = (version: number): JsonObject =>
  version === 0
    ? absent
    : {
        ConditionExpression: "#version = :version",
        ExpressionAttributeNames: { "#version": "version" },
        ExpressionAttributeValues: { ":version": { N: String(version) } },
      };

/** A duplicate is recognized for longer than the event itself is kept. */
const seenEntry = (sk: string, now: number, { kept }: Layout): Entry => ({
  sk,
  attributes: {},
  ttl: ttlOf(now + Math.max(kept, 7 * day) + day),
});

const own = <Value>(values: { readonly [name: string]: Value }, name: string): Value | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/** What of a run outlasts its start and its waits. */
const lastingOf = ({ value, after }: RunRecord = {}): Json & RunRecord => ({
  ...(value !== undefined && { value }),
  ...(after !== undefined && { after }),
});

const runKeyOf = (group: string, run: string): string => `${group}#run#${run}`;

const runEntry = (record: RunRecord, now: number): Entry => ({
  sk: "run",
  attributes: { ...bodyOf(lastingOf(record)), form: { N: String(form) } },
  ttl: ttlOf(now + runKept),
});

const readRun = (item: Item): RunRecord => parseBody<RunRecord>(item);

/** How many parsed items are kept. */
const maxParsed = 20_000;

interface ParsedItem {
  readonly text: string;
  readonly body: unknown;
}

const parseItem = ({ body }: Item): unknown => JSON.parse(body!.S!);

function reusedBody(item: Item, known: ReadonlyMap<string, ParsedItem>): unknown {
  const last = known.get(item["sk"]!.S!);
  return last && last.text === item["body"]!.S ? last.body : parseItem(item);
}

/** A partition of items. Waits and starts have what is known of their runs. */
function partitionOf(name: string, items: readonly Item[], parse: (item: Item) => unknown): StoredPartition {
  const entries: PartitionEntry[] = [];
  /** Records with a start precede those that waits have. */
  const starts: PartitionEntry[] = [];
  const keys = new Map<string, string>();
  const attempts = new Map<string, number>();
  const contents = new Map<string, string | undefined>();
  for (const { sk, content } of items) if (content) contents.set(sk!.S!, content.S);
  let version = 0;
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
      version = stored.version;
      entries.push({ kind: "head", head: stored.head });
    }
  }
  return { name, version, partition: partitionFrom([...entries, ...starts], compareWaits), attempts, keys };
}

/** What DynamoDB throws when it has written nothing. */
interface CanceledTransaction {
  readonly name: string;
  readonly CancellationReasons?: readonly { readonly Code?: string }[];
}

/** Why nothing was written. Anything but the writes of other functions is thrown. */
function refusal(error: CanceledTransaction, isArrival: boolean): "changed" | "repeated" {
  const [head, seen] = (error.CancellationReasons ?? []).map(({ Code }) => Code);
  if (isArrival && seen === "ConditionalCheckFailed") return "repeated";
  if (head === "ConditionalCheckFailed" || error.name === "TransactionInProgressException") return "changed";
  if (error.CancellationReasons?.some(({ Code }) => Code === "TransactionConflict" || Code === "ThrottlingError"))
    return "changed";
  throw error;
}
