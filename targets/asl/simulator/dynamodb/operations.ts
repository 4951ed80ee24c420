import {
  type CancellationReason,
  conditionalCheckFailed,
  serviceError,
  transactionCanceled,
  validationError,
} from "./errors.ts";
import { holds, updateItem } from "./evaluation.ts";
import { createExpressionReader, type ExpressionReader } from "./expressions.ts";
import { compareText, type Item, limits, validateItem } from "./items.ts";
import { keyRangeOf } from "./key-conditions.ts";
import { createPartitions, firstIndex, type Partitions, type StoredItem } from "./partitions.ts";
import {
  type BatchGetRequest,
  type BatchWriteRequest,
  type GetRequest,
  type ItemKey,
  type ItemWrite,
  itemWrite,
  keyOf,
  type Operation,
  type QueryRequest,
  type ReadRequest,
  requireDistinct,
  type TransactionRequest,
  transactionWrites,
  type WriteRequest,
} from "./requests.ts";

/** What an operation has consumed. */
export interface Consumption {
  readUnits: number;
  writeUnits: number;
  /** What it has read, in bytes. */
  bytes: number;
}

/** The data of the service, and its operations, which take no time. */
export interface Operations {
  perform(operation: Operation, request: object, consumption: Consumption): object;
  /** Deletes all items whose time to live has passed. */
  deleteExpired(): void;
}

/** What the operations depend on. */
export interface OperationContext {
  /** Milliseconds since 1970 (UTC). */
  now(): number;
  /** How long items outlive their time to live, in milliseconds. */
  readonly expiryDelay: number;
  /** Whether a batch skips the write or read of an item. */
  isUnprocessed(key: ItemKey): boolean;
  /** Counts units of a partition; throws if they are used up. */
  charge(key: Pick<ItemKey, "table" | "pk">, kind: "read" | "write", units: number): void;
}

/** DynamoDB deletes no items whose time to live passed more than five years ago. */
const maxExpiredSeconds = 5 * 365 * 86_400;

/** Creates the operations of a service without items. Tables exist as soon as a request names them. */
export function createOperations(context: OperationContext): Operations {
  const tables = new Map<string, Partitions>();
  const tableOf = (name: string): Partitions => {
    if (typeof name !== "string") throw validationError("The parameter 'TableName' is required but was not present");
    const table = tables.get(name) ?? createPartitions();
    tables.set(name, table);
    return table;
  };
  const isExpired = ({ ttl }: Item, delay: number): boolean => {
    const age = ttl?.N === undefined ? -1 : context.now() / 1000 - Number(ttl.N);
    return age >= delay / 1000 && age >= 0 && age < maxExpiredSeconds;
  };
  const find = ({ table, pk, sk }: ItemKey): StoredItem | undefined => {
    const found = tableOf(table).get(pk, sk);
    return found && !isExpired(found.item, context.expiryDelay) ? found : undefined;
  };

  function read(key: ItemKey, isStrong: boolean, consumption: Consumption): Item | undefined {
    const found = find(key);
    const units = readUnits(found?.size ?? 0, isStrong);
    context.charge(key, "read", units);
    consumption.readUnits += units;
    consumption.bytes += found?.size ?? 0;
    return found?.item;
  }

  /** The item after a write; undefined when it is deleted. Throws unless its condition holds. */
  function resultOf({ kind, request, key }: ItemWrite): StoredItem | undefined {
    const reader = createExpressionReader(request);
    const old = find(key);
    const condition = request.ConditionExpression && reader.condition(request.ConditionExpression);
    const update = request.UpdateExpression ? reader.update(request.UpdateExpression) : undefined;
    reader.finish();
    const size = kind === "Put" ? validateItem(request.Item!) : 0;
    if (condition && !holds(condition, old?.item ?? {}))
      throw conditionalCheckFailed(request.ReturnValuesOnConditionCheckFailure === "ALL_OLD" ? old?.item : undefined);
    switch (kind) {
      case "Put":
        return { sk: key.sk, item: request.Item!, size };
      case "Update": {
        const before = old?.item ?? request.Key!;
        const item = update ? updateItem(update, before) : before;
        return {
          sk: key.sk,
          item,
          size: validateItem(item, "Item size to update has exceeded the maximum allowed size"),
        };
      }
      case "Delete":
        return undefined;
      case "ConditionCheck":
        return old;
    }
  }

  function store({ table, pk, sk }: ItemKey, item: StoredItem | undefined): void {
    if (item) tableOf(table).set(pk, item);
    else tableOf(table).delete(pk, sk);
  }

  function chargeWrite(key: ItemKey, sizes: readonly number[], factor: number, consumption: Consumption): void {
    const units = factor * Math.max(1, Math.ceil(Math.max(...sizes) / 1024));
    consumption.writeUnits += units;
    context.charge(key, "write", units);
  }

  function write(item: ItemWrite, consumption: Consumption): object {
    const { key, request } = item;
    const old = find(key);
    let now = old;
    try {
      now = resultOf(item);
    } finally {
      chargeWrite(key, [old?.size ?? 0, now?.size ?? 0], 1, consumption);
    }
    store(key, now);
    switch (request.ReturnValues ?? "NONE") {
      case "NONE":
        return {};
      case "ALL_OLD":
        return old ? { Attributes: old.item } : {};
      case "ALL_NEW":
        return { Attributes: now!.item };
      default:
        throw new Error(`The simulated DynamoDB does not return these values: ${request.ReturnValues}`);
    }
  }

  function transact(request: TransactionRequest, consumption: Consumption): object {
    const writes = transactionWrites(request);
    const results = writes.map((each) => {
      const old = find(each.key);
      try {
        const now = resultOf(each);
        return { key: each.key, now, size: Math.max(old?.size ?? 0, now?.size ?? 0), reason: { Code: "None" } };
      } catch (error) {
        return { key: each.key, now: old, size: old?.size ?? 0, reason: cancellationReason(error as Error, each) };
      }
    });
    if (results.reduce((total, { size }) => total + size, 0) > limits.transaction)
      throw validationError("Transaction request size has exceeded the maximum allowed size of 4 MB");
    const reasons = results.map(({ key, size, reason }) => {
      try {
        chargeWrite(key, [size], 2, consumption);
        return reason;
      } catch {
        return { Code: "ThrottlingError", Message: "Throughput exceeds the current capacity for your table or index" };
      }
    });
    if (reasons.some(({ Code }) => Code !== "None")) throw transactionCanceled(reasons);
    for (const { key, now } of results) store(key, now);
    return {};
  }

  function query(request: QueryRequest, consumption: Consumption): object {
    const { TableName: table, Limit: most = Number.POSITIVE_INFINITY, ScanIndexForward: isForward = true } = request;
    if (most < 1) throw validationError("Value at 'limit' failed to satisfy constraint: greater than or equal to 1");
    const reader = createExpressionReader(request);
    const { pk, range } = keyRangeOf(reader.condition(request.KeyConditionExpression));
    const filter = request.FilterExpression ? reader.condition(request.FilterExpression) : undefined;
    const project = projectionOf(request, reader);
    const items = tableOf(table).partition(pk);
    let [from, to] = range(items);
    if (request.ExclusiveStartKey) {
      const { sk: last } = keyOf(table, request.ExclusiveStartKey);
      const at = firstIndex(items, ({ sk }) => compareText(sk, last) >= 0);
      if (isForward) from = Math.max(from, items[at]?.sk === last ? at + 1 : at);
      else to = Math.min(to, at);
    }
    const page: StoredItem[] = [];
    let bytes = 0;
    let next: StoredItem | undefined;
    for (let i = 0; i < to - from; i++) {
      const stored = items[isForward ? from + i : to - 1 - i]!;
      if (isExpired(stored.item, context.expiryDelay)) continue;
      if (page.length > 0 && bytes + stored.size > limits.page) {
        next = page.at(-1);
        break;
      }
      page.push(stored);
      bytes += stored.size;
      if (page.length === most) {
        next = stored;
        break;
      }
    }
    const units = readUnits(bytes, request.ConsistentRead === true);
    context.charge({ table, pk }, "read", units);
    consumption.readUnits += units;
    consumption.bytes += bytes;
    const Items = page.flatMap(({ item }) => (!filter || holds(filter, item) ? [project(item)] : []));
    const LastEvaluatedKey = next && { pk: { S: pk }, sk: { S: next.sk } };
    return { Items, Count: Items.length, ScannedCount: page.length, ...(next && { LastEvaluatedKey }) };
  }

  function get(request: GetRequest, consumption: Consumption): object {
    const project = projectionOf(request, createExpressionReader(request));
    const key = keyOf(request.TableName, request.Key);
    const item = read(key, request.ConsistentRead === true, consumption);
    return item ? { Item: project(item) } : {};
  }

  function batchGet({ RequestItems: requests }: BatchGetRequest, consumption: Consumption): object {
    const all = Object.entries(requests).flatMap(([table, { Keys, ...request }]) =>
      Keys.map((Key) => ({ key: keyOf(table, Key), Key, request: { TableName: table, ...request } })),
    );
    checkBatch(all, limits.batchGetItems, "getItems");
    const Responses: { [table: string]: Item[] } = Object.fromEntries(Object.keys(requests).map((each) => [each, []]));
    const UnprocessedKeys: { [table: string]: { Keys: Item[] } } = {};
    let bytes = 0;
    for (const { key, Key, request } of all) {
      bytes += find(key)?.size ?? 0;
      if (context.isUnprocessed(key) || bytes > limits.batch) {
        UnprocessedKeys[key.table] ??= { ...requests[key.table], Keys: [] };
        UnprocessedKeys[key.table]!.Keys.push(Key);
        continue;
      }
      const item = read(key, request.ConsistentRead === true, consumption);
      if (item) Responses[key.table]!.push(projectionOf(request, createExpressionReader(request))(item));
    }
    return { Responses, UnprocessedKeys };
  }

  function batchWrite({ RequestItems: requests }: BatchWriteRequest, consumption: Consumption): object {
    const all = Object.entries(requests).flatMap(([table, list]) =>
      list.map((each) => {
        const { PutRequest: put, DeleteRequest: remove } = each;
        if ((put === undefined) === (remove === undefined))
          throw validationError("Supplied AttributeValue has more than one datatypes set, must contain exactly one");
        const item = put
          ? itemWrite("Put", { TableName: table, Item: put.Item })
          : itemWrite("Delete", { TableName: table, Key: remove!.Key });
        return { ...item, each };
      }),
    );
    checkBatch(all, limits.batchWriteItems, "writeItems");
    const results = all.map((item) => ({ ...item, now: resultOf(item) }));
    if (results.reduce((total, { now }) => total + (now?.size ?? 0), 0) > limits.batch)
      throw validationError("Request size has exceeded the maximum allowed size of 16 MB");
    const UnprocessedItems: { [table: string]: object[] } = {};
    for (const { key, now, each } of results) {
      if (context.isUnprocessed(key) || !mayWrite(key, now, consumption)) {
        UnprocessedItems[key.table] ??= [];
        UnprocessedItems[key.table]!.push(each);
        continue;
      }
      store(key, now);
    }
    return { UnprocessedItems };
  }

  /** Whether a partition has the units for one write of a batch. */
  function mayWrite(key: ItemKey, now: StoredItem | undefined, consumption: Consumption): boolean {
    try {
      chargeWrite(key, [find(key)?.size ?? 0, now?.size ?? 0], 1, consumption);
      return true;
    } catch {
      return false;
    }
  }

  return {
    perform(operation, request, consumption) {
      switch (operation) {
        case "getItem":
          return get(request as GetRequest, consumption);
        case "batchGetItem":
          return batchGet(request as BatchGetRequest, consumption);
        case "query":
          return query(request as QueryRequest, consumption);
        case "putItem":
          return write(itemWrite("Put", request as WriteRequest), consumption);
        case "updateItem":
          return write(itemWrite("Update", request as WriteRequest), consumption);
        case "deleteItem":
          return write(itemWrite("Delete", request as WriteRequest), consumption);
        case "batchWriteItem":
          return batchWrite(request as BatchWriteRequest, consumption);
        case "transactWriteItems":
          return transact(request as TransactionRequest, consumption);
      }
    },
    deleteExpired() {
      for (const table of tables.values())
        for (const item of [...table.all()]) if (isExpired(item, 0)) table.delete(item["pk"]!.S!, item["sk"]!.S!);
    },
  };
}

/** A strong read takes one unit for 4 KB, any other half a unit. */
const readUnits = (bytes: number, isStrong: boolean): number =>
  (isStrong ? 1 : 0.5) * Math.max(1, Math.ceil(bytes / 4096));

/**
 * Why an operation cancels its transaction. Invalid requests are thrown, except updates of items that get too large.
 */
function cancellationReason(error: Error, { kind }: ItemWrite): CancellationReason {
  const { Item: item } = error as { Item?: Item };
  if (error.name === "ConditionalCheckFailedException")
    return { Code: "ConditionalCheckFailed", Message: error.message, ...(item && { Item: item }) };
  if (kind === "Update" && error.message.startsWith("Item size to update"))
    return { Code: "ValidationError", Message: error.message };
  throw error;
}

function projectionOf({ ProjectionExpression: text }: ReadRequest, reader: ExpressionReader): (item: Item) => Item {
  const names = text === undefined ? undefined : reader.projection(text);
  reader.finish();
  if (!names) return (item) => item;
  return (item) => Object.fromEntries(names.flatMap((name) => (item[name] ? [[name, item[name]]] : [])));
}

function checkBatch(all: readonly { readonly key: ItemKey }[], most: number, what: string): void {
  if (all.length < 1 || all.length > most)
    throw serviceError("ValidationException", `Too many items requested for the ${what} call`);
  requireDistinct(
    all.map(({ key }) => key),
    "Provided list of item keys contains duplicates",
  );
}
