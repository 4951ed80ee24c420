import type { DynamoDB, Item } from "../../../targets/typescript/runtime/hosts/lambda/table.ts";

/** Which requests are not answered, by their numbers: one that was not heard by its own, one that is done by that below zero. */
export type Lost = (request: number) => boolean;

/** A table of which some requests are not answered. `lost` is done then, and gives what the request comes to. */
export function losing(client: DynamoDB, isLost: Lost, lost: () => Promise<never>): DynamoDB {
  let asked = 0;
  const request = async <T>(make: () => Promise<T>): Promise<T> => {
    const number = ++asked;
    if (isLost(number)) return lost();
    const answer = await make();
    return isLost(-number) ? lost() : answer;
  };
  return {
    getItem: (wanted) => request(() => client.getItem(wanted)),
    transactWriteItems: (wanted) => request(() => client.transactWriteItems(wanted)),
  };
}

/** A table of DynamoDB in memory, with the conditions and transactions that are used. */
export function inMemory(): {
  readonly client: DynamoDB;
  readonly asked: () => number;
  /** How many bytes the item of a key has. */
  readonly bytesOf: (key: string) => number;
} {
  const items = new Map<string, Item>();
  let asked = 0;
  const client: DynamoDB = {
    async getItem({ Key }) {
      asked += 1;
      const item = items.get(Key.pk.S);
      return { Item: item && { ...item } };
    },
    async transactWriteItems({ TransactItems }) {
      asked += 1;
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
  return { client, asked: () => asked, bytesOf: (key) => items.get(key)?.body.B.length ?? 0 };
}
