import type { RunRecord } from "../../../src/events/partition.ts";
import { commonPartition } from "../../../src/events/routing.ts";
import type { JsonObject } from "../../../src/json.ts";
import { digest } from "./digest.ts";
import { type Form1Run, runOf } from "./form1.ts";
import {
  bodyOf,
  type Entry,
  form,
  hasPendingWork,
  headEntry,
  type Item,
  type Layout,
  parseBody,
  readHead,
  sortKeys,
  ttlOf,
} from "./items.ts";
import { itemChanges, type PartitionChange, readPartition, type StoredPartition } from "./stored-partition.ts";

/** The part of the client for DynamoDB that is used. */
export interface DynamoDB {
  getItem(request: JsonObject): Promise<{ readonly Item?: Item }>;
  query(request: JsonObject): Promise<{ readonly Items?: readonly Item[]; readonly LastEvaluatedKey?: Item }>;
  transactWriteItems(request: { readonly TransactItems: readonly JsonObject[] }): Promise<unknown>;
}

/** A change of a stored partition. */
export interface Update extends PartitionChange {
  readonly before: StoredPartition;
  /** The head of the common partition gets this key. */
  readonly key?: string | undefined;
}

/** `changed`: another function has changed a partition meanwhile; `repeated`: the event has arrived before. */
export type WriteResult = readonly StoredPartition[] | "changed" | "repeated";

/** The partitions of a group of workflows in a DynamoDB table. */
export interface EventTable {
  /**
   * `omitsEvents`: many kept events need not be read, if nothing else in the partition refers to them. Without them, the
   * result is partial.
   */
  read(name: string, now: number, omitsEvents?: boolean): Promise<StoredPartition>;
  /**
   * Changes partitions at once if none has changed since it was read. `arrived`: the key of an event that must not have
   * arrived before, in any partition of the group.
   */
  write(updates: readonly Update[], now: number, arrived?: string): Promise<WriteResult>;
  /** What events have changed of a run, as far as it matters to a partition. */
  readRun(run: string, partition?: string): Promise<RunRecord | undefined>;
  /** Deletes an item of a partition, whatever its version. */
  delete(name: string, sk: string): Promise<void>;
  /** The partitions with pending work. */
  findPending(): Promise<readonly string[]>;
}

const day = 86_400_000;

/** How long a run is known: as long as an execution may take. */
const runKept = 366 * day;

/** The index of partitions with work to do is itself divided, so that it never limits throughput. */
const indexParts = 16;

/** Opens the partitions of a group. `maxItems`: how many items are read before kept events are omitted. */
export function openTable(client: DynamoDB, table: string, group: string, layout: Layout, maxItems = 100): EventTable {
  const keyOf = (name: string): string => (name === commonPartition ? group : `${group}#${digest(name)}`);
  const runKey = (run: string): string => `${group}#run#${run}`;
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

  const queryPage = (pk: string, last?: string, from?: Item, limit?: number): ReturnType<DynamoDB["query"]> =>
    client.query({
      TableName: table,
      ConsistentRead: true,
      KeyConditionExpression: last === undefined ? "pk = :pk" : "pk = :pk AND sk <= :last",
      ExpressionAttributeValues: { ":pk": { S: pk }, ...(last !== undefined && { ":last": { S: last } }) },
      ...(from && { ExclusiveStartKey: from as unknown as JsonObject }),
      ...(limit !== undefined && { Limit: limit }),
    });

  async function queryAll(pk: string, last?: string, behind?: Item): Promise<readonly Item[]> {
    const items: Item[] = [];
    let from = behind;
    do {
      const page = await queryPage(pk, last, from);
      items.push(...(page.Items ?? []));
      from = page.LastEvaluatedKey;
    } while (from);
    return items;
  }

  /** Reads the items of a partition up to a sort key. `omitsEvents` as in `EventTable`. */
  async function queryPartition(
    pk: string,
    last: string,
    omitsEvents: boolean,
  ): Promise<{ readonly items: readonly Item[]; readonly isPartial?: true }> {
    if (!omitsEvents) return { items: await queryAll(pk, last) };
    const { Items: first = [], LastEvaluatedKey: from } = await queryPage(pk, last, undefined, maxItems);
    if (isEvent(from) && isSettled(first)) {
      const others = await queryAll(pk, last, { pk: { S: pk }, sk: { S: sortKeys.afterEvents } });
      const isRest = others.every(({ sk }) => sk!.S!.startsWith("waiting#"));
      if (isRest) return { items: [...first.filter((item) => !isEvent(item)), ...others], isPartial: true };
    }
    return { items: from ? [...first, ...(await queryAll(pk, last, from))] : first };
  }

  /** The entry of a partition in the index of those with work to do, if that changes. */
  function indexWrites({ before: { name, partition: before }, partition }: Update, now: number): readonly JsonObject[] {
    const isPending = hasPendingWork(partition);
    if (name === commonPartition || isPending === hasPendingWork(before)) return [];
    const hash = digest(name);
    const pk = `${group}#pending#${Number.parseInt(hash.slice(0, 4), 16) % indexParts}`;
    if (!isPending) return [remove(pk, hash)];
    return [put(pk, { sk: hash, attributes: { name: { S: name } }, ttl: ttlOf(now + runKept) })];
  }

  /** What was parsed of the items of the common partition when it was last read: most do not change. */
  let parsed: readonly ParsedItem[] = [];

  return {
    async read(name, now, omitsEvents = false) {
      const { items, isPartial } = await queryPartition(keyOf(name), sortKeys.last(now), omitsEvents);
      if (name !== commonPartition) return { ...readPartition(name, items, layout, parseItem), isPartial };
      const reuse = reuseParsed(parsed);
      const stored = readPartition(name, items, layout, reuse.parse);
      parsed = isPartial ? [...parsed.filter(({ sk }) => sk.startsWith("received#")), ...reuse.parsed] : reuse.parsed;
      return { ...stored, isPartial };
    },

    async write(updates, now, arrived) {
      const seen = arrived === undefined ? undefined : seenKey(updates[0]!.before.name, arrived);
      const heads: JsonObject[] = [];
      const writes: JsonObject[] = [];
      const results: StoredPartition[] = [];
      for (const update of updates) {
        const { before, partition, attempts, key } = update;
        const { name, version } = before;
        const pk = keyOf(name);
        const changes = itemChanges(before, update, layout, now);
        heads.push(put(pk, headEntry(partition, version + 1, now, key), unchanged(version)));
        writes.push(
          ...changes.put.map((entry) => put(pk, entry)),
          ...changes.deleted.map((sk) => remove(pk, sk)),
          ...[...changes.runs].map(([run, record]) => put(runKey(run), runEntry(record, name, now))),
          ...indexWrites(update, now),
        );
        results.push({ ...before, version: version + 1, partition, attempts, key, keys: changes.keys });
      }
      const arrival = seen ? [put(seen.pk, seenEntry(seen.sk, now, layout), absent)] : [];
      try {
        await client.transactWriteItems({ TransactItems: [...arrival, ...heads, ...writes] });
        return results;
      } catch (error) {
        return refusal(error as CanceledTransaction, heads.length, arrival.length > 0);
      }
    },

    async readRun(run, partition) {
      const Key = { pk: { S: runKey(run) }, sk: { S: "run" } };
      const { Item } = await client.getItem({ TableName: table, ConsistentRead: true, Key });
      return Item && readRun(Item, partition);
    },

    async delete(name, sk) {
      await client.transactWriteItems({ TransactItems: [remove(keyOf(name), sk)] });
    },

    async findPending() {
      const parts = Array.from({ length: indexParts }, (_, part) => queryAll(`${group}#pending#${part}`));
      return (await Promise.all(parts)).flat().map((item) => item["name"]!.S!);
    },
  };
}

/** How many parsed items are kept. */
const maxParsed = 20_000;

interface ParsedItem {
  readonly sk: string;
  readonly text: string;
  readonly body: unknown;
}

const isEvent = (item: Item | undefined): boolean => item?.["sk"]?.S?.startsWith("received#") === true;

/** Whether items are a head and events that fulfill no open wait. */
const isSettled = ([head, ...others]: readonly Item[]): boolean =>
  head?.["sk"]?.S === sortKeys.head && !readHead(head).head.isUnsettled && others.every(isEvent);

const parseItem = ({ body }: Item): unknown => JSON.parse(body!.S!);

/** Parses items in the order of their sort keys, as far as they have changed since `known`, and collects the results. */
function reuseParsed(known: readonly ParsedItem[]): {
  readonly parse: (item: Item) => unknown;
  readonly parsed: readonly ParsedItem[];
} {
  const parsed: ParsedItem[] = [];
  let next = 0;
  return {
    parsed,
    parse(item) {
      const [sk, text] = [item["sk"]!.S!, item["body"]!.S!];
      while (next < known.length && known[next]!.sk < sk) next += 1;
      const last = known[next];
      const entry = last?.sk === sk && last.text === text ? last : { sk, text, body: parseItem(item) };
      if (parsed.length < maxParsed) parsed.push(entry);
      return entry.body;
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

/** Orders of events mean nothing outside their partition, whose name the item of a run has for that. */
const runEntry = (record: RunRecord, partition: string, now: number): Entry => ({
  sk: "run",
  attributes: { ...bodyOf(record), form: { N: String(form) }, partition: { S: partition } },
  ttl: ttlOf(now + runKept),
});

function readRun(item: Item, partition: string | undefined): RunRecord {
  const record = item["form"] ? parseBody<RunRecord>(item) : runOf(parseBody<Form1Run>(item));
  if ((item["partition"]?.S ?? commonPartition) === partition) return record;
  const { after: _, ...rest } = record;
  return rest;
}

/** What DynamoDB throws when it has written nothing. */
interface CanceledTransaction {
  readonly name: string;
  readonly CancellationReasons?: readonly { readonly Code?: string }[];
}

/** Why nothing was written. Anything but the writes of other functions is thrown. */
function refusal(error: CanceledTransaction, heads: number, isArrival: boolean): "changed" | "repeated" {
  const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code);
  if (isArrival && codes[0] === "ConditionalCheckFailed") return "repeated";
  const first = isArrival ? 1 : 0;
  const isChanged = codes.slice(first, first + heads).includes("ConditionalCheckFailed");
  if (isChanged || error.name === "TransactionInProgressException") return "changed";
  if (codes.some((code) => code === "TransactionConflict" || code === "ThrottlingError")) return "changed";
  throw error;
}
