import type { Attributes, DynamoDB, ItemKey, Write } from "../../../targets/typescript/runtime/hosts/lambda/table.ts";

/** Which requests are lost: called with n before request n and with -n after it. */
export type LossPredicate = (request: number) => boolean;

/** A client that loses some requests; these return the result of `lost`. */
export function withLosses(client: DynamoDB, isLost: LossPredicate, lost: () => Promise<never>): DynamoDB {
  let count = 0;
  const request = async <T>(make: () => Promise<T>): Promise<T> => {
    const number = ++count;
    if (isLost(number)) return lost();
    const response = await make();
    return isLost(-number) ? lost() : response;
  };
  return {
    getItem: (input) => request(() => client.getItem(input)),
    query: (input) => request(() => client.query(input)),
    transactWriteItems: (input) => request(() => client.transactWriteItems(input)),
  };
}

/** A DynamoDB table in memory. */
export interface MemoryTable {
  readonly client: DynamoDB;
  readonly requestCount: () => number;
  /** All items, by their keys. */
  readonly items: ReadonlyMap<string, Attributes>;
  /** The largest transaction so far: its items and bytes. */
  readonly largest: () => { readonly items: number; readonly bytes: number };
  /** Replaces an attribute of all items that have it. */
  replace(attribute: string, value: Attributes[string]): void;
}

/** Creates a table with DynamoDB's limits and those conditions that the runtime uses. */
export function createMemoryTable(): MemoryTable {
  const items = new Map<string, Attributes>();
  let requests = 0;
  let largest = { items: 0, bytes: 0 };
  const client: DynamoDB = {
    async getItem({ Key }) {
      requests += 1;
      return { Item: items.get(keyOf(Key)) };
    },
    async query({ ExpressionAttributeValues, ExclusiveStartKey }) {
      requests += 1;
      const pk = ExpressionAttributeValues[":pk"]!.S;
      const all = [...items.values()]
        .filter((item) => item["pk"]!.S === pk)
        .sort((a, b) => (a["sk"]!.S! < b["sk"]!.S! ? -1 : 1));
      const rest = all.filter((item) => !ExclusiveStartKey || item["sk"]!.S! > ExclusiveStartKey["sk"]!.S!);
      let bytes = 0;
      const end = rest.findIndex((item) => {
        bytes += sizeOf(item);
        return bytes > maxPage;
      });
      const Items = end < 0 ? rest : rest.slice(0, Math.max(end, 1));
      return { Items, ...(Items.length < rest.length && { LastEvaluatedKey: Items.at(-1)! }) };
    },
    async transactWriteItems({ TransactItems }) {
      requests += 1;
      const keys = TransactItems.map((write) => keyOf("Put" in write ? write.Put.Item : write.Delete.Key));
      const sizes = TransactItems.map((write) => ("Put" in write ? sizeOf(write.Put.Item) : 0));
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      if (TransactItems.length > 100 || bytes > 4_000_000) throw invalid("The transaction is too large.");
      if (sizes.some((size) => size > 400_000)) throw invalid("Item size has exceeded the maximum allowed size.");
      if (keys.some((key) => Buffer.byteLength(key) > 3072)) throw invalid("A key is too long.");
      if (new Set(keys).size < keys.length) throw invalid("A transaction has several operations on one item.");
      if (!TransactItems.every(holds)) {
        const CancellationReasons = TransactItems.map((each) => ({
          Code: holds(each) ? "None" : "ConditionalCheckFailed",
        }));
        throw Object.assign(new Error("cancelled"), { name: "TransactionCanceledException", CancellationReasons });
      }
      largest = { items: Math.max(largest.items, TransactItems.length), bytes: Math.max(largest.bytes, bytes) };
      for (const [i, write] of TransactItems.entries())
        if ("Put" in write) items.set(keys[i]!, write.Put.Item);
        else items.delete(keys[i]!);
    },
  };
  const holds = (write: Write): boolean => {
    if (!("Put" in write) || write.Put.ConditionExpression === undefined) return true;
    const { Item, ConditionExpression, ExpressionAttributeValues = {} } = write.Put;
    const found = items.get(keyOf(Item));
    if (ConditionExpression === "attribute_not_exists(pk)") return found === undefined;
    const [name] = Object.keys(ExpressionAttributeValues);
    const [actual, expected] = [found?.[name!.slice(1)], ExpressionAttributeValues[name!]!];
    if (expected.B) return Buffer.from(expected.B).equals(actual?.B ?? Buffer.alloc(0));
    return actual?.N === expected.N && actual?.S === expected.S;
  };
  return {
    client,
    requestCount: () => requests,
    items,
    largest: () => largest,
    replace(attribute, value) {
      for (const [key, item] of items) if (item[attribute]) items.set(key, { ...item, [attribute]: value });
    },
  };
}

const keyOf = ({ pk, sk }: ItemKey): string => `${pk.S}\n${sk.S}`;

const sizeOf = (item: Attributes): number =>
  Object.entries(item).reduce(
    (sum, [name, { S = "", N = "", B = new Uint8Array() }]) =>
      sum + name.length + Buffer.byteLength(S) + N.length + B.length,
    0,
  );

const invalid = (message: string): Error => Object.assign(new Error(message), { name: "ValidationException" });

/** The bytes of one page of a query. */
const maxPage = 1_000_000;
