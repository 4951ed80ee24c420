import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Entry } from "../../../../../src/events/changes.ts";
import type { Partition, StoredEvent, StoredWait } from "../../../../../src/events/partition.ts";
import type { JsonObject } from "../../../../../src/json.ts";
import { changesBetween, compareWaits, emptyPartition, partitionFrom } from "../../internal.ts";
import type { Json } from "../../json.ts";
import type { PartitionKeys } from "../broker/routing.ts";

/** What is used of the client of DynamoDB. */
export interface DynamoDB {
  getItem(request: {
    readonly TableName: string;
    readonly ConsistentRead: true;
    readonly Key: ItemKey;
  }): Promise<{ readonly Item?: Attributes | undefined }>;
  query(request: {
    readonly TableName: string;
    readonly ConsistentRead: true;
    readonly KeyConditionExpression: string;
    readonly ExpressionAttributeValues: Attributes;
    readonly ExclusiveStartKey?: Attributes | undefined;
  }): Promise<{
    readonly Items?: readonly Attributes[] | undefined;
    readonly LastEvaluatedKey?: Attributes | undefined;
  }>;
  transactWriteItems(request: { readonly TransactItems: readonly Write[] }): Promise<unknown>;
}

/** A string, a number as a string, or bytes. */
export interface Attribute {
  readonly S?: string | undefined;
  readonly N?: string | undefined;
  readonly B?: Uint8Array | undefined;
}

/** The attributes of an item. */
export interface Attributes {
  readonly [attribute: string]: Attribute;
}

/** The key of an item. */
export interface ItemKey extends Attributes {
  readonly pk: { readonly S: string };
  readonly sk: { readonly S: string };
}

/** A write of a transaction. */
export type Write =
  | { readonly Put: { readonly TableName: string; readonly Item: ItemKey } & Condition }
  | { readonly Delete: { readonly TableName: string; readonly Key: ItemKey } };

interface Condition {
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: { readonly [name: string]: string };
  readonly ExpressionAttributeValues?: Attributes;
}

/** The form of the items. */
export const form = 2;

/** A partition that was read. */
export interface StoredPartition {
  readonly name: string;
  /** Increases with each change; 0 if it does not exist. */
  readonly version: number;
  readonly partition: Partition;
}

/** What a transaction changes in addition to a partition. */
export interface Additions {
  /** The event that must not have arrived before. */
  readonly arrived?: string | undefined;
  /** Executions and what they have in the table. */
  readonly executions?: ReadonlyMap<string, ExecutionRecord> | undefined;
}

/** What an execution has in the table. */
export interface ExecutionRecord {
  /** Partitions with what the broker calls runs in them. */
  readonly places: readonly (readonly [partition: string, run: string])[];
}

/** `changed`: another function has changed the partition meanwhile; `repeated`: the event has arrived before. */
export type WriteResult = "written" | "changed" | "repeated";

/** The broker's partitions in a table. */
export interface EventsTable {
  readKeys(): Promise<PartitionKeys>;
  /** Stores keys unless others have been stored since they were read. */
  writeKeys(before: PartitionKeys, keys: PartitionKeys): Promise<boolean>;
  readPartition(name: string): Promise<StoredPartition>;
  writePartition(before: StoredPartition, partition: Partition, additions?: Additions): Promise<WriteResult>;
  readExecution(name: string): Promise<ExecutionRecord | undefined>;
  /** The partitions that may have effects which were not performed. */
  pendingPartitions(): Promise<readonly string[]>;
}

const day = 86_400;

/** How long waits and runs are kept, in seconds: somewhat longer than a run may take. */
const keptForRuns = 370 * day;

/** How long unused events are kept by default. */
const defaultKeepEvents = 7 * day;

/** Opens a table. `clock`: milliseconds since 1970; `keepEvents`: how long unused events are kept, in seconds. */
export function openTable(
  client: DynamoDB,
  TableName: string,
  clock: () => number,
  keepEvents = defaultKeepEvents,
): EventsTable {
  const put = (pk: string, sk: string, body: unknown, more: Attributes = {}, condition: Condition = {}): Write => ({
    Put: { TableName, Item: { ...keyOf(pk, sk), ...encoded(body), ...expiry(keptForRuns), ...more }, ...condition },
  });
  const remove = (pk: string, sk: string): Write => ({ Delete: { TableName, Key: keyOf(pk, sk) } });
  const expiry = (seconds: number): Attributes => ({ ttl: { N: String(Math.floor(clock() / 1000) + seconds) } });
  const read = async (pk: string, sk: string): Promise<Attributes | undefined> =>
    (await client.getItem({ TableName, ConsistentRead: true, Key: keyOf(pk, sk) })).Item;

  async function queryAll(pk: string): Promise<readonly Attributes[]> {
    const items: Attributes[] = [];
    let from: Attributes | undefined;
    do {
      const page = await client.query({
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": { S: short(pk) } },
        ...(from && { ExclusiveStartKey: from }),
      });
      items.push(...(page.Items ?? []));
      from = page.LastEvaluatedKey;
    } while (from);
    return items;
  }

  function writesOf({ name, partition: before }: StoredPartition, after: Partition): readonly Write[] {
    const pk = partitionKey(name);
    const { put: changed, deleted } = changesBetween(before, after);
    const old = new Map(before.events.map((event) => [String(event.order), event]));
    const writes = changed.flatMap((entry): readonly Write[] => {
      if (entry.kind === "head") return [];
      if (entry.kind !== "event") return [put(pk, sortKeys[entry.kind](entry.id), withoutVariables(entry))];
      const { event, ...state } = entry.event;
      const isUnused = state.isFree && !state.users && !state.runs;
      const ttl = expiry(isUnused ? keepEvents : keptForRuns);
      const stored = isLong(event) ? state : entry.event;
      const content = isLong(event) && !old.has(entry.id) ? [put(pk, sortKeys.content(entry.id), event)] : [];
      return [put(pk, sortKeys.event(entry.id), { kind: "event", id: entry.id, event: stored }, ttl), ...content];
    });
    const removals = deleted.flatMap(({ kind, id }): readonly Write[] =>
      kind === "event"
        ? [remove(pk, sortKeys.event(id)), ...(isLong(old.get(id)!.event) ? [remove(pk, sortKeys.content(id))] : [])]
        : [remove(pk, sortKeys[kind](id))],
    );
    return [...writes, ...removals];
  }

  return {
    async readKeys() {
      const item = await read("keys", "keys");
      if (!item) return {};
      requireForm(item);
      return decoded(item) as PartitionKeys;
    },
    async writeKeys(before, keys) {
      const condition = Object.keys(before).length === 0 ? absent : unchangedBody(before);
      const Item = { ...keyOf("keys", "keys"), ...encoded(keys), ...formAttribute };
      return (await transact([{ Put: { TableName, Item, ...condition } }])) === "written";
    },
    async readPartition(name) {
      return partitionOf(name, await queryAll(partitionKey(name)));
    },
    async writePartition(before, partition, { arrived, executions = new Map() } = {}) {
      const { name, version } = before;
      const { next, isUnsettled } = partition;
      const head = { kind: "head", head: { next, ...(isUnsettled && { isUnsettled }) } };
      const attributes = { version: { N: String(version + 1) }, ...formAttribute };
      const isPending = hasPendingEffects(partition);
      const isIndexed = isPending !== hasPendingEffects(before.partition);
      const index = isPending ? put("pending", digest(name), name) : remove("pending", digest(name));
      return transact([
        put(partitionKey(name), sortKeys.head, head, attributes, version === 0 ? absent : unchanged(version)),
        ...(arrived === undefined
          ? []
          : [put(`seen#${arrived}`, "seen", null, expiry(Math.max(keepEvents, 7 * day) + day), absent)]),
        ...writesOf(before, partition),
        ...(isIndexed ? [index] : []),
        ...[...executions].map(([execution, record]) => put(`execution#${execution}`, "execution", record)),
      ]);
    },
    async readExecution(name) {
      const item = await read(`execution#${name}`, "execution");
      return item && (decoded(item) as unknown as ExecutionRecord);
    },
    pendingPartitions: async () => (await queryAll("pending")).map((item) => String(decoded(item))),
  };

  async function transact(TransactItems: readonly Write[]): Promise<WriteResult> {
    try {
      await client.transactWriteItems({ TransactItems });
      return "written";
    } catch (error) {
      return refusal(error as CanceledTransaction, TransactItems);
    }
  }
}

/** Whether an event's content has an item of its own, which is written once. */
const isLong = (event: JsonObject): boolean => JSON.stringify(event).length > 16_384;

/** The sort keys of a partition's items. */
const sortKeys = {
  head: "head",
  event: (order: string): string => `event#${order.padStart(15, "0")}`,
  content: (order: string): string => `${sortKeys.event(order)}#content`,
  wait: (id: string): string => `wait#${digest(id)}`,
  run: (id: string): string => `run#${digest(id)}`,
  seen: (id: string): string => `seen#${digest(id)}`,
};

const partitionKey = (name: string): string => `partition#${name}`;

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Partition keys have at most 2,048 bytes; a longer one is replaced by its digest. */
const short = (key: string): string => (Buffer.byteLength(key) <= 1024 ? key : `sha256#${digest(key)}`);

const keyOf = (pk: string, sk: string): ItemKey => ({ pk: { S: short(pk) }, sk: { S: sk } });

/** Long bodies are compressed. */
function encoded(body: unknown): Attributes {
  const text = JSON.stringify(body);
  return { body: text.length > maxPlain ? { B: deflateRawSync(text) } : { S: text } };
}

const decoded = ({ body }: Attributes): Json => JSON.parse(body!.S ?? inflateRawSync(body!.B!).toString()) as Json;

/** The longest body that is not compressed. */
const maxPlain = 2000;

const formAttribute: Attributes = { form: { N: String(form) } };

/** A wait that has ended needs its variables no longer. */
const withoutVariables = (entry: Entry): Entry =>
  entry.kind === "wait" && entry.wait.end ? { ...entry, wait: { ...entry.wait, variables: {} } } : entry;

const absent: Condition = { ConditionExpression: "attribute_not_exists(pk)" };

const unchanged = (version: number): Condition => ({
  ConditionExpression: "#version = :version",
  ExpressionAttributeNames: { "#version": "version" },
  ExpressionAttributeValues: { ":version": { N: String(version) } },
});

const unchangedBody = (body: unknown): Condition => ({
  ConditionExpression: "#body = :body",
  ExpressionAttributeNames: { "#body": "body" },
  ExpressionAttributeValues: { ":body": encoded(body)["body"]! },
});

function requireForm(item: Attributes): void {
  const stored = Number(item["form"]?.N ?? 1);
  if (stored !== form)
    throw new Error(
      `The events table has the form ${stored}, and this program reads form ${form}. Deploy ${
        stored > form ? "a program that a newer version of Waybill has compiled" : "this program as another stack"
      }.`,
    );
}

function partitionOf(name: string, items: readonly Attributes[]): StoredPartition {
  const head = items.find((item) => item["sk"]!.S === sortKeys.head);
  if (!head) return { name, version: 0, partition: emptyPartition };
  requireForm(head);
  const contents = new Map<string, JsonObject>();
  for (const item of items)
    if (item["sk"]!.S!.endsWith("#content")) contents.set(item["sk"]!.S!, decoded(item) as JsonObject);
  const entries = items.flatMap((item): readonly Entry[] => {
    if (item["sk"]!.S!.endsWith("#content")) return [];
    const entry = decoded(item) as unknown as Entry;
    if (entry.kind !== "event") return [entry];
    const event = entry.event.event ?? contents.get(sortKeys.content(entry.id));
    return event ? [{ ...entry, event: { ...entry.event, event } as StoredEvent }] : [];
  });
  return { name, version: Number(head["version"]!.N), partition: partitionFrom(entries, compareWaits) };
}

/** Whether waits have ended whose runs may not know it, or runs may not have been started. */
export const hasPendingEffects = ({ isUnsettled, waits, runs }: Partition): boolean =>
  isUnsettled === true || waits.some(isPendingWait) || Object.values(runs).some(({ start }) => start !== undefined);

const isPendingWait = ({ end, isConfirmed }: StoredWait): boolean => end !== undefined && !isConfirmed;

/** What DynamoDB throws when it has written nothing. */
interface CanceledTransaction {
  readonly name: string;
  readonly CancellationReasons?: readonly { readonly Code?: string }[];
}

/** Why nothing was written. Anything but the writes of other functions is thrown. */
function refusal(error: CanceledTransaction, writes: readonly Write[]): WriteResult {
  const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code);
  const seen = writes.findIndex((write) => "Put" in write && write.Put.Item.sk.S === "seen");
  if (seen >= 0 && codes[seen] === "ConditionalCheckFailed") return "repeated";
  const isOthers = codes.some(
    (code) => code === "ConditionalCheckFailed" || code === "TransactionConflict" || code === "ThrottlingError",
  );
  if (isOthers || error.name === "TransactionInProgressException") return "changed";
  throw error;
}
