import { validationError } from "./errors.ts";
import type { Placeholders } from "./expressions.ts";
import { type Item, limits, validateKey } from "./items.ts";

/** The operations of DynamoDB that are simulated. */
export type Operation =
  | "getItem"
  | "batchGetItem"
  | "query"
  | "putItem"
  | "updateItem"
  | "deleteItem"
  | "batchWriteItem"
  | "transactWriteItems";

/** A request for one item, or for the items of a partition. */
export interface ReadRequest extends Placeholders {
  readonly TableName: string;
  readonly ConsistentRead?: boolean | undefined;
  readonly ProjectionExpression?: string | undefined;
}

/** A `getItem`. */
export interface GetRequest extends ReadRequest {
  readonly Key: Item;
}

/** A `query`. */
export interface QueryRequest extends ReadRequest {
  readonly KeyConditionExpression: string;
  readonly FilterExpression?: string | undefined;
  readonly Limit?: number | undefined;
  readonly ScanIndexForward?: boolean | undefined;
  readonly ExclusiveStartKey?: Item | undefined;
}

/** A `batchGetItem`; also what was not processed of one. */
export interface BatchGetRequest {
  readonly RequestItems: {
    readonly [table: string]: { readonly Keys: readonly Item[] } & Omit<ReadRequest, "TableName">;
  };
}

/** A `putItem`, `updateItem`, `deleteItem`, or one operation of a transaction. */
export interface WriteRequest extends Placeholders {
  readonly TableName: string;
  readonly Item?: Item | undefined;
  readonly Key?: Item | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly ConditionExpression?: string | undefined;
  readonly ReturnValues?: string | undefined;
  readonly ReturnValuesOnConditionCheckFailure?: string | undefined;
}

/** One write of a `batchWriteItem`. */
export interface BatchWrite {
  readonly PutRequest?: { readonly Item: Item };
  readonly DeleteRequest?: { readonly Key: Item };
}

/** A `batchWriteItem`; also what was not processed of one. */
export interface BatchWriteRequest {
  readonly RequestItems: { readonly [table: string]: readonly BatchWrite[] };
}

export type WriteKind = "Put" | "Update" | "Delete" | "ConditionCheck";

/** A `transactWriteItems`. */
export interface TransactionRequest {
  readonly TransactItems: readonly { readonly [kind in WriteKind]?: WriteRequest }[];
  readonly ClientRequestToken?: string | undefined;
}

/** One write with the key of its item. */
export interface ItemWrite {
  readonly kind: WriteKind;
  readonly request: WriteRequest;
  readonly key: ItemKey;
}

/** The place of an item. */
export interface ItemKey {
  readonly table: string;
  readonly pk: string;
  readonly sk: string;
}

const placeholders = ["ExpressionAttributeNames", "ExpressionAttributeValues"];
const reads = ["TableName", "ConsistentRead", "ProjectionExpression", ...placeholders, "ReturnConsumedCapacity"];
const writes = ["TableName", "ConditionExpression", "ReturnValuesOnConditionCheckFailure", ...placeholders];
const single = ["ReturnValues", "ReturnConsumedCapacity", "ReturnItemCollectionMetrics"];

const fieldsOfWrites: { readonly [kind in WriteKind]: readonly string[] } = {
  Put: ["Item", ...writes],
  Update: ["Key", "UpdateExpression", ...writes],
  Delete: ["Key", ...writes],
  ConditionCheck: ["Key", ...writes],
};

const fields: { readonly [operation in Operation]: readonly string[] } = {
  getItem: ["Key", ...reads],
  batchGetItem: ["RequestItems", "ReturnConsumedCapacity"],
  query: [
    ...["KeyConditionExpression", "FilterExpression", "Limit", "ScanIndexForward", "ExclusiveStartKey", "Select"],
    ...reads,
  ],
  putItem: [...fieldsOfWrites.Put, ...single],
  updateItem: [...fieldsOfWrites.Update, ...single],
  deleteItem: [...fieldsOfWrites.Delete, ...single],
  batchWriteItem: ["RequestItems", "ReturnConsumedCapacity", "ReturnItemCollectionMetrics"],
  transactWriteItems: ["TransactItems", "ClientRequestToken", "ReturnConsumedCapacity", "ReturnItemCollectionMetrics"],
};

/**
 * Throws unless a request has only known fields. The service ignores unknown ones, so a misspelt condition would never
 * be checked.
 */
export const checkFields = (operation: Operation, request: object): void => onlyFields(request, fields[operation]);

function onlyFields(request: object, known: readonly string[]): void {
  const other = Object.keys(request).find((name) => !known.includes(name));
  if (other !== undefined) throw new Error(`The simulated DynamoDB does not know this field: ${other}`);
}

/** The place of an item, whose keys must be valid. */
export function keyOf(TableName: string, given: Item): ItemKey {
  validateKey(given);
  return { table: TableName, pk: given["pk"]!.S!, sk: given["sk"]!.S! };
}

/** A single text for the place of an item. */
export const lockOf = ({ table, pk, sk }: ItemKey): string => JSON.stringify([table, pk, sk]);

/** Reads a write; a condition check and an update without an expression are checked as the service does. */
export function itemWrite(kind: WriteKind, request: WriteRequest): ItemWrite {
  const { TableName, Item: item, Key: key, ConditionExpression: condition } = request;
  if (kind === "ConditionCheck" && condition === undefined)
    throw validationError("The ConditionExpression of a ConditionCheck is required");
  const given = kind === "Put" ? { pk: item?.["pk"], sk: item?.["sk"] } : key;
  return { kind, request, key: keyOf(TableName, given as Item) };
}

/** Reads the writes of a transaction. Throws a `ValidationException` for too many, and for two of one item. */
export function transactionWrites({ TransactItems: operations }: TransactionRequest): readonly ItemWrite[] {
  if (operations.length < 1 || operations.length > limits.transactionItems)
    throw validationError(
      `1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have length ` +
        `less than or equal to ${limits.transactionItems}, greater than or equal to 1`,
    );
  const items = operations.map((operation) => {
    const [[kind = "", request] = [], ...others] = Object.entries(operation);
    if (others.length > 0 || !request || !Object.hasOwn(fieldsOfWrites, kind))
      throw validationError("TransactItems can only contain one of Check, Put, Update or Delete");
    onlyFields(request, fieldsOfWrites[kind as WriteKind]);
    return itemWrite(kind as WriteKind, request);
  });
  requireDistinct(
    items.map(({ key }) => key),
    "Transaction request cannot include multiple operations on one item",
  );
  return items;
}

/** Throws a `ValidationException` if two keys are equal. */
export function requireDistinct(keys: readonly ItemKey[], message: string): void {
  if (new Set(keys.map(lockOf)).size < keys.length) throw validationError(message);
}
