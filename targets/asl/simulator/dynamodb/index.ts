import { type CancellationReason, serviceError, transactionCanceled } from "./errors.ts";
import type { Item } from "./items.ts";
import { type Consumption, createOperations } from "./operations.ts";
import {
  type BatchGetRequest,
  type BatchWriteRequest,
  checkFields,
  type ItemKey,
  itemWrite,
  lockOf,
  type Operation,
  type TransactionRequest,
  transactionWrites,
  type WriteRequest,
} from "./requests.ts";

export { serviceError } from "./errors.ts";
export type { AttributeValue, Item } from "./items.ts";
export { itemSize, limits } from "./items.ts";
export type { ItemKey, Operation } from "./requests.ts";

/** Time, real or virtual. */
export interface ServiceClock {
  /** Milliseconds since 1970 (UTC). */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

/** How long operations take, in milliseconds. */
export interface Latencies {
  /** `getItem`, `batchGetItem` and `query`. */
  readonly read: number;
  /** Writes outside transactions. */
  readonly write: number;
  readonly transaction: number;
  /** For each megabyte that is read, in addition. */
  readonly perMegabyte?: number;
}

/** A failure of one request. */
export interface InjectedFault {
  readonly error: Error;
  /** Whether the operation takes place nevertheless, and only its response is lost. */
  readonly isApplied?: boolean;
}

export interface DynamoDBOptions {
  /** Default: the real time. */
  readonly clock?: ServiceClock;
  /** Default: none; every operation then happens at once. */
  readonly latencies?: Latencies;
  /** How long items outlive their `ttl`, in milliseconds. Default: two days. */
  readonly expiryDelay?: number;
  /** The units that a partition has each second. Default: no limit. DynamoDB's are 3,000 reads and 1,000 writes. */
  readonly partitionUnits?: { readonly read: number; readonly write: number };
  /** Lets a request fail. */
  fault?(operation: Operation, request: object): InjectedFault | undefined;
  /** Whether a batch leaves an item unprocessed. */
  isUnprocessed?(key: ItemKey): boolean;
}

/** What all requests since the last reset have consumed. */
export interface Usage extends Readonly<Consumption> {
  readonly requests: { readonly [operation in Operation]?: number };
  /** Transactions that other transactions or conditions have canceled. */
  readonly canceled: number;
}

/**
 * A simulated DynamoDB with the methods of the client `DynamoDB` of the AWS SDK that event functions use. Requests
 * and responses are those of the service. It enforces the limits of the service, and bills what the service bills.
 */
export interface SimulatedDynamoDB {
  getItem(request: object): Promise<{ readonly Item?: Item }>;
  batchGetItem(request: object): Promise<{
    readonly Responses: { readonly [table: string]: readonly Item[] };
    readonly UnprocessedKeys: BatchGetRequest["RequestItems"];
  }>;
  query(request: object): Promise<{
    readonly Items: readonly Item[];
    readonly Count: number;
    readonly ScannedCount: number;
    readonly LastEvaluatedKey?: Item;
  }>;
  putItem(request: object): Promise<{ readonly Attributes?: Item }>;
  updateItem(request: object): Promise<{ readonly Attributes?: Item }>;
  deleteItem(request: object): Promise<{ readonly Attributes?: Item }>;
  batchWriteItem(request: object): Promise<{ readonly UnprocessedItems: BatchWriteRequest["RequestItems"] }>;
  transactWriteItems(request: object): Promise<object>;
  /** Performs an operation at once, without latencies, faults and conflicts. */
  perform(operation: Operation, request: object): object;
  /** Deletes the items whose `ttl` has passed, as the service does at some time. */
  deleteExpired(): void;
  usage(): Usage;
  resetUsage(): void;
}

/** Creates a simulated DynamoDB without items. Each table that a request names exists, with the keys `pk` and `sk`. */
export function createDynamoDB(options: DynamoDBOptions = {}): SimulatedDynamoDB {
  const { clock = realClock, latencies = noLatencies, expiryDelay = 2 * 86_400_000 } = options;
  const operations = createOperations({
    now: () => clock.now(),
    expiryDelay,
    isUnprocessed: (key) => locks.has(lockOf(key)) || options.isUnprocessed?.(key) === true,
    charge: options.partitionUnits ? createThrottle(clock, options.partitionUnits) : () => {},
  });
  /** The items of transactions in progress. */
  const locks = new Set<string>();
  /** The transactions of the last ten minutes that have a token. */
  const tokens = new Map<string, TokenUse>();
  let usage = emptyUsage();

  function perform(operation: Operation, request: object, consumption: Consumption): object {
    checkFields(operation, request);
    usage.requests[operation] = (usage.requests[operation] ?? 0) + 1;
    try {
      return operations.perform(operation, request, consumption);
    } catch (error) {
      if ((error as Error).name === "TransactionCanceledException") usage.canceled += 1;
      throw error;
    } finally {
      usage.readUnits += consumption.readUnits;
      usage.writeUnits += consumption.writeUnits;
      usage.bytes += consumption.bytes;
    }
  }

  async function send<Response>(operation: Operation, request: object): Promise<Response> {
    const fault = options.fault?.(operation, request);
    if (fault && !fault.isApplied) throw fault.error;
    const response = operation === "transactWriteItems" ? await transact(request) : await single(operation, request);
    if (fault) throw fault.error;
    return response as Response;
  }

  /** Half of the latency passes before the operation takes place, and half after it. */
  async function single(operation: Operation, request: object): Promise<object> {
    const isWrite = operation in singleWrites;
    const latency = isWrite || operation === "batchWriteItem" ? latencies.write : latencies.read;
    await pause(latency / 2);
    if (isWrite && locks.has(lockOf(itemWrite(singleWrites[operation]!, request as WriteRequest).key)))
      throw serviceError("TransactionConflictException", "Transaction is ongoing for the item");
    const consumption = noConsumption();
    const response = perform(operation, request, consumption);
    await pause(latency / 2 + ((latencies.perMegabyte ?? 0) * consumption.bytes) / 1e6);
    return response;
  }

  /** A transaction locks its items for the middle half of its latency. Others that need one of them fail. */
  async function transact(request: object): Promise<object> {
    checkFields("transactWriteItems", request);
    const keys = transactionWrites(request as TransactionRequest).map(({ key }) => lockOf(key));
    const { ClientRequestToken: token } = request as TransactionRequest;
    const known = token === undefined ? undefined : repeatedUse(tokens, token, request, clock.now());
    await pause(latencies.transaction / 4);
    if (known) return {};
    const conflicts = keys.map((key) => locks.has(key));
    if (conflicts.some(Boolean)) {
      usage.requests.transactWriteItems = (usage.requests.transactWriteItems ?? 0) + 1;
      usage.canceled += 1;
      if (token !== undefined) tokens.delete(token);
      await pause((latencies.transaction * 3) / 4);
      throw transactionCanceled(conflicts.map((isConflict) => (isConflict ? transactionConflict : noReason)));
    }
    for (const key of keys) locks.add(key);
    try {
      await pause(latencies.transaction / 2);
      perform("transactWriteItems", request, noConsumption());
      if (token !== undefined) tokens.set(token, { ...tokens.get(token)!, isDone: true });
    } catch (error) {
      if (token !== undefined) tokens.delete(token);
      throw error;
    } finally {
      for (const key of keys) locks.delete(key);
      await pause(latencies.transaction / 4);
    }
    return {};
  }

  /** A latency of zero does not pause at all, so that such operations are atomic. */
  const pause = (milliseconds: number): Promise<void> | undefined =>
    milliseconds > 0 ? clock.sleep(milliseconds) : undefined;

  return {
    getItem: (request) => send("getItem", request),
    batchGetItem: (request) => send("batchGetItem", request),
    query: (request) => send("query", request),
    putItem: (request) => send("putItem", request),
    updateItem: (request) => send("updateItem", request),
    deleteItem: (request) => send("deleteItem", request),
    batchWriteItem: (request) => send("batchWriteItem", request),
    transactWriteItems: (request) => send("transactWriteItems", request),
    perform: (operation, request) => perform(operation, request, noConsumption()),
    deleteExpired: () => operations.deleteExpired(),
    usage: () => ({ ...usage, requests: { ...usage.requests } }),
    resetUsage() {
      usage = emptyUsage();
    },
  };
}

const singleWrites: { readonly [operation in Operation]?: "Put" | "Update" | "Delete" } = {
  putItem: "Put",
  updateItem: "Update",
  deleteItem: "Delete",
};

const noReason: CancellationReason = { Code: "None" };
const transactionConflict: CancellationReason = {
  Code: "TransactionConflict",
  Message: "Transaction is ongoing for the item",
};

const noLatencies: Latencies = { read: 0, write: 0, transaction: 0 };

const realClock: ServiceClock = {
  now: () => Date.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

const noConsumption = (): Consumption => ({ readUnits: 0, writeUnits: 0, bytes: 0 });

const emptyUsage = (): Consumption & { requests: { [operation in Operation]?: number }; canceled: number } => ({
  ...noConsumption(),
  requests: {},
  canceled: 0,
});

/** A `ClientRequestToken` that a transaction has used. */
interface TokenUse {
  readonly text: string;
  readonly at: number;
  readonly isDone: boolean;
}

/** Ten minutes, in milliseconds. */
const tokenLifetime = 600_000;

/** The earlier use of a token, if any; notes this one. Throws if that was for another request or is in progress. */
function repeatedUse(tokens: Map<string, TokenUse>, token: string, request: object, now: number): TokenUse | undefined {
  const known = tokens.get(token);
  const text = JSON.stringify(request);
  if (!known || now - known.at > tokenLifetime) {
    tokens.set(token, { text, at: now, isDone: false });
    return undefined;
  }
  if (known.text !== text)
    throw serviceError("IdempotentParameterMismatchException", "Different parameters with the same request token");
  if (!known.isDone) throw serviceError("TransactionInProgressException", "The transaction is already in progress");
  return known;
}

/** Counts the units of each partition in each second, and fails when they are used up. */
function createThrottle(clock: ServiceClock, most: NonNullable<DynamoDBOptions["partitionUnits"]>) {
  let second = -1;
  let used = new Map<string, number>();
  return ({ table, pk }: Pick<ItemKey, "table" | "pk">, kind: "read" | "write", units: number): void => {
    const now = Math.floor(clock.now() / 1000);
    if (now !== second) used = new Map();
    second = now;
    const key = JSON.stringify([kind, table, pk]);
    const total = (used.get(key) ?? 0) + units;
    if (total > most[kind]) throw serviceError("ThrottlingException", "Throughput exceeds the current capacity");
    used.set(key, total);
  };
}
