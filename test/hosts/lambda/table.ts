import { createDynamoDB } from "../../../targets/asl/simulator/dynamodb/index.ts";
import type { Attributes, DynamoDB, ItemKey } from "../../../targets/typescript/runtime/hosts/lambda/table.ts";

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

/** Creates a table in a simulated DynamoDB, which has the limits of the service. Items do not expire. */
export function createMemoryTable(): MemoryTable {
  const dynamodb = createDynamoDB({ clock: { now: () => 0, sleep: async () => {} } });
  const items = new Map<string, Attributes>();
  let requests = 0;
  let largest = { items: 0, bytes: 0 };
  const client: DynamoDB = {
    getItem(request) {
      requests += 1;
      return dynamodb.getItem(request);
    },
    query(request) {
      requests += 1;
      return dynamodb.query(request);
    },
    async transactWriteItems(request) {
      requests += 1;
      await dynamodb.transactWriteItems(request);
      const { TransactItems: writes } = request;
      const bytes = writes.reduce((sum, write) => sum + ("Put" in write ? sizeOf(write.Put.Item) : 0), 0);
      largest = { items: Math.max(largest.items, writes.length), bytes: Math.max(largest.bytes, bytes) };
      for (const write of writes)
        if ("Put" in write) items.set(keyOf(write.Put.Item), write.Put.Item);
        else items.delete(keyOf(write.Delete.Key));
    },
  };
  return {
    client,
    requestCount: () => requests,
    items,
    largest: () => largest,
    replace(attribute, value) {
      for (const [key, item] of items) {
        if (!item[attribute]) continue;
        const Item = { ...item, [attribute]: value };
        dynamodb.perform("putItem", { TableName: "events", Item });
        items.set(key, Item);
      }
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
