import type { Json, JsonObject } from "../../../src/json.ts";
import type { DynamoDB, Item } from "../runtime/table.ts";

/** A table of DynamoDB in memory, as far as the functions of workflows that receive events use one: queries of a partition, and transactions with conditions. */
export function createTable(): DynamoDB {
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
      if (TransactItems.length > 100) throw named("ValidationException");
      const writes = TransactItems.map(writeOf);
      if (new Set(writes.map(({ key }) => key)).size < writes.length) throw named("ValidationException");
      const holds = writes.map(({ key, condition, values }) => isTrue(condition, items.get(key), values));
      if (!holds.every(Boolean)) {
        const CancellationReasons = holds.map((each) => ({ Code: each ? "None" : "ConditionalCheckFailed" }));
        throw Object.assign(named("TransactionCanceledException"), { CancellationReasons });
      }
      for (const { key, item } of writes) {
        if (item) items.set(key, item);
        else items.delete(key);
      }
      return {};
    },
  };
}

/** One write of a transaction. */
interface Write {
  readonly key: string;
  /** Absent: it is deleted. */
  readonly item?: Item | undefined;
  readonly condition: Json | undefined;
  readonly values: Item;
}

function writeOf({ Put, Delete, ...others }: JsonObject): Write {
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

/** An error as the clients of AWS throw it. */
export const named = (name: string): Error => Object.assign(new Error(name), { name });
