import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Json } from "../../json.ts";

/** What is used of the client of DynamoDB. */
export interface DynamoDB {
  getItem(request: {
    readonly TableName: string;
    readonly ConsistentRead: true;
    readonly Key: Pick<Item, "pk">;
  }): Promise<{
    readonly Item?: { readonly [attribute: string]: Attribute } | undefined;
  }>;
  transactWriteItems(request: { readonly TransactItems: readonly Write[] }): Promise<unknown>;
}

/** A value as DynamoDB has it: a text, a number as a text, or bytes. */
interface Attribute {
  readonly S?: string | undefined;
  readonly N?: string | undefined;
  readonly B?: Uint8Array | undefined;
}

/** An item, as DynamoDB has it. */
export interface Item {
  readonly pk: { readonly S: string };
  readonly body: { readonly B: Uint8Array };
  readonly ttl: { readonly N: string };
  readonly version?: { readonly N: string };
}

/** The write of an item. */
export interface Write {
  readonly Put: {
    readonly TableName: string;
    readonly Item: Item;
    readonly ConditionExpression?: string;
    readonly ExpressionAttributeValues?: { readonly ":version": { readonly N: string } };
  };
}

/** Values under keys, in one table. */
export interface Table {
  get<T>(key: string): Promise<{ readonly value: T; readonly version: number } | undefined>;
  /** Writes values in one transaction; false, and nothing is written, where the first is not of the version that it was read in. */
  write(values: ReadonlyMap<string, unknown>, version?: number): Promise<boolean>;
}

/** How long something is kept, in seconds: somewhat longer than a run goes on. */
const kept = 370 * 86_400;

/** A key as DynamoDB takes it: one that is too long has a digest in its place. */
const keyOf = (key: string): string =>
  Buffer.byteLength(key) <= longestKey ? key : `sha256#${createHash("sha256").update(key).digest("hex")}`;

/** DynamoDB takes 2,048 bytes. */
const longestKey = 2048;

/** The table of a name. `clock`: milliseconds since 1970. */
export function openTable(client: DynamoDB, TableName: string, clock: () => number): Table {
  return {
    async get<T>(key: string) {
      const { Item } = await client.getItem({ TableName, ConsistentRead: true, Key: { pk: { S: keyOf(key) } } });
      if (!Item) return undefined;
      const value = JSON.parse(inflateRawSync(Item["body"]!.B!).toString()) as Json;
      return { value: value as T, version: Number(Item["version"]?.N ?? 0) };
    },
    async write(values, version) {
      const ttl = { N: String(Math.floor(clock() / 1000) + kept) };
      const TransactItems = [...values].map(([key, value], i) => {
        const item = { pk: { S: keyOf(key) }, body: { B: deflateRawSync(JSON.stringify(value)) }, ttl };
        if (i > 0 || version === undefined) return { Put: { TableName, Item: item } };
        return { Put: { TableName, Item: { ...item, version: { N: String(version + 1) } }, ...unchanged(version) } };
      });
      try {
        await client.transactWriteItems({ TransactItems });
        return true;
      } catch (error) {
        if (isChanged(error as Cancelled)) return false;
        throw error;
      }
    },
  };
}

const unchanged = (version: number) =>
  version === 0
    ? { ConditionExpression: "attribute_not_exists(pk)" }
    : { ConditionExpression: "version = :version", ExpressionAttributeValues: { ":version": { N: String(version) } } };

/** What DynamoDB throws when it has written nothing. */
interface Cancelled {
  readonly name: string;
  readonly CancellationReasons?: readonly { readonly Code?: string }[];
}

const isChanged = ({ name, CancellationReasons = [] }: Cancelled): boolean =>
  name === "TransactionInProgressException" ||
  CancellationReasons.some(({ Code }) => Code === "ConditionalCheckFailed" || Code === "TransactionConflict");
