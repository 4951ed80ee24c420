import type { DynamoDB, Item } from "../../../targets/typescript/runtime/hosts/lambda/table.ts";

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
    transactWriteItems: (input) => request(() => client.transactWriteItems(input)),
  };
}

/** An in-memory DynamoDB table with the conditions and transactions that the runtime uses. */
export function createMemoryTable(): {
  readonly client: DynamoDB;
  readonly requestCount: () => number;
  /** The size of an item's body. */
  readonly bytesOf: (key: string) => number;
} {
  const items = new Map<string, Item>();
  let requests = 0;
  const client: DynamoDB = {
    async getItem({ Key }) {
      requests += 1;
      const item = items.get(Key.pk.S);
      return { Item: item && { ...item } };
    },
    async transactWriteItems({ TransactItems }) {
      requests += 1;
      if (TransactItems.some(({ Put }) => Buffer.byteLength(Put.Item.pk.S) > 2048))
        throw Object.assign(new Error("One or more parameter values were invalid"), { name: "ValidationException" });
      const holds = ({ Put }: (typeof TransactItems)[number]): boolean => {
        const found = items.get(Put.Item.pk.S);
        if (Put.ConditionExpression === "attribute_not_exists(pk)") return found === undefined;
        if (Put.ConditionExpression === undefined) return true;
        const { ":version": version } = Put.ExpressionAttributeValues as {
          readonly ":version": { readonly N: string };
        };
        return found?.version?.N === version.N;
      };
      if (!TransactItems.every(holds)) {
        const CancellationReasons = TransactItems.map((each) => ({
          Code: holds(each) ? "None" : "ConditionalCheckFailed",
        }));
        throw Object.assign(new Error("cancelled"), { name: "TransactionCanceledException", CancellationReasons });
      }
      for (const { Put } of TransactItems) items.set(Put.Item.pk.S, Put.Item);
    },
  };
  return { client, requestCount: () => requests, bytesOf: (key) => items.get(key)?.body.B.length ?? 0 };
}
