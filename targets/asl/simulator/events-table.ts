import type { Json, JsonObject } from "../../../src/json.ts";
import type { DynamoDB, Item } from "../runtime/table.ts";

/**
 * Creates an in-memory DynamoDB table with the operations that event functions use: queries of a partition, and
 * transactions with conditions.
 */
export function createEventsTable(): DynamoDB {
  const items = new Map<string, Item>();
  return {
    async getItem({ Key }) {
      const item = items.get(keyOf(Key as unknown as Item));
      return item ? { Item: item } : {};
    },
    async query({ KeyConditionExpression, ExpressionAttributeValues }) {
      if (KeyConditionExpression !== "pk = :space") throw new Error(`Not a query: ${String(KeyConditionExpression)}`);
      const partition = (ExpressionAttributeValues as unknown as Item)[":space"]!.S!;
      const found = [...items.values()].filter(({ pk }) => pk!.S === partition);
      return { Items: found.sort((a, b) => (a["sk"]!.S! < b["sk"]!.S! ? -1 : 1)) };
    },
    async transactWriteItems({ TransactItems }) {
      if (TransactItems.length > 100) throw namedError("ValidationException");
      const writes = TransactItems.map(writeOf);
      if (new Set(writes.map(({ key }) => key)).size < writes.length) throw namedError("ValidationException");
      const holds = writes.map(({ key, condition, values }) => isTrue(condition, items.get(key), values));
      if (!holds.every(Boolean)) {
        const CancellationReasons = holds.map((each) => ({ Code: each ? "None" : "ConditionalCheckFailed" }));
        throw Object.assign(namedError("TransactionCanceledException"), { CancellationReasons });
      }
      for (const { key, item } of writes) {
        if (item) items.set(key, item);
        else items.delete(key);
      }
      return {};
    },
  };
}

interface TransactionWrite {
  readonly key: string;
  /** Undefined for a deletion. */
  readonly item?: Item | undefined;
  readonly condition: Json | undefined;
  readonly values: Item;
}

function writeOf({ Put, Delete, ...others }: JsonObject): TransactionWrite {
  if (Object.keys(others).length > 0) throw new Error(`Not a write: ${Object.keys(others).join()}`);
  const write = (Put ?? Delete) as JsonObject;
  const item = Put ? (write["Item"] as unknown as Item) : undefined;
  return {
    key: keyOf(item ?? (write["Key"] as unknown as Item)),
    item,
    condition: write["ConditionExpression"],
    values: (write["ExpressionAttributeValues"] ?? {}) as unknown as Item,
  };
}

function isTrue(condition: Json | undefined, item: Item | undefined, values: Item): boolean {
  switch (condition) {
    case undefined:
      return true;
    case "attribute_not_exists(pk)":
      return !item;
    case "version = :version":
      return item?.["version"]?.N !== undefined && item["version"].N === values[":version"]!.N;
    default:
      throw new Error(`Not a condition: ${String(condition)}`);
  }
}

const keyOf = ({ pk, sk }: Item): string => JSON.stringify([pk!.S, sk!.S]);

/** An error as AWS clients throw it. */
export const namedError = (name: string): Error => Object.assign(new Error(name), { name });
