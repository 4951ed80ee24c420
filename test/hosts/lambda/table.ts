import type { DynamoDB, Item } from "../../../targets/typescript/runtime/hosts/lambda/table.ts";

/** A table of DynamoDB in memory, with the conditions and transactions that are used. */
export function inMemory(): { readonly client: DynamoDB; readonly asked: () => number } {
  const items = new Map<string, Item>();
  let asked = 0;
  const client: DynamoDB = {
    async getItem(request) {
      asked += 1;
      const { Key } = request as { readonly Key: { readonly pk: { readonly S: string } } };
      return { Item: items.get(Key.pk.S) };
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
  return { client, asked: () => asked };
}
