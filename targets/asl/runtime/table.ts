import { equalJson, type Json, type JsonObject } from "../../../src/json.ts";
import type { Arrival, Run, Space, Starting, Waiting } from "./model.ts";

/** What is used of the client for DynamoDB. */
export interface DynamoDB {
  getItem(request: JsonObject): Promise<{ readonly Item?: Item }>;
  query(request: JsonObject): Promise<{ readonly Items?: readonly Item[]; readonly LastEvaluatedKey?: Item }>;
  transactWriteItems(request: { readonly TransactItems: readonly JsonObject[] }): Promise<unknown>;
}

/** The attributes of an item. */
export interface Item {
  readonly [attribute: string]: { readonly S?: string; readonly N?: string };
}

/** Spaces, each a partition of one table, which is written in transactions: whoever writes says what it has read, and nothing is written if that has changed. */
export interface Table {
  read(space: string): Promise<Space>;
  /** What is kept of a run. */
  run(id: string): Promise<Run | undefined>;
  /** `seen`: an event that must not have been seen before. */
  write(
    space: string,
    before: Space,
    after: Space,
    now: number,
    seen?: string,
  ): Promise<"written" | "changed" | "repeated">;
}

const day = 86_400;
/** How long what nobody uses is kept, in seconds: as long as a run may take. */
const longest = 366 * day;
/** How long a repeated event is known, in seconds. */
const repeats = 7 * day;

/** The spaces of a workflow in a table. */
export function openTable(client: DynamoDB, TableName: string, workflow: string): Table {
  return {
    read: async (space) => spaceOf(await partition(client, TableName, space)),
    async run(id) {
      const Key = { pk: { S: `${workflow}#run#${id}` }, sk: { S: "run" } };
      const { Item } = await client.getItem({ TableName, ConsistentRead: true, Key });
      return Item && (bodyOf(Item) as Run);
    },
    async write(space, before, after, now, seen) {
      const put: Put = (pk, sk, body, ttl) => ({
        Put: { TableName, Item: { ...itemOf(pk, sk, body), ttl: { N: String(Math.floor(now / 1000) + ttl) } } },
      });
      const runs = [...after.runs].filter(([id, run]) => before.runs.get(id) !== run);
      const TransactItems = [
        { Put: { TableName, Item: headOf(space, before, after), ...unchanged(before.version) } },
        ...(seen === undefined ? [] : [firstSeen(put(`${space}#seen`, seen, {}, repeats))]),
        ...[...changed(before, after)].map(([sk, body]) =>
          body === undefined
            ? { Delete: { TableName, Key: { pk: { S: space }, sk: { S: sk } } } }
            : put(space, sk, body, longest),
        ),
        ...runs.map(([id, run]) => put(`${workflow}#run#${id}`, "run", run, longest)),
      ];
      try {
        await client.transactWriteItems({ TransactItems: TransactItems as unknown as readonly JsonObject[] });
        return "written";
      } catch (error) {
        return refusal(error as Cancelled, seen !== undefined);
      }
    },
  };
}

/** The write of an item that is kept for so many seconds. */
type Put = (pk: string, sk: string, body: unknown, ttl: number) => { readonly Put: object };

/** The item by whose version it is known whether a space has changed. */
const headOf = (space: string, { version }: Space, { next }: Space): Item => ({
  ...itemOf(space, "head", { next }),
  version: { N: String(version + 1) },
});

/** All items of a partition, page by page. */
async function partition(client: DynamoDB, TableName: string, name: string): Promise<readonly Item[]> {
  const items: Item[] = [];
  let from: Item | undefined;
  do {
    const page = await client.query({
      TableName,
      ConsistentRead: true,
      KeyConditionExpression: "pk = :space",
      ExpressionAttributeValues: { ":space": { S: name } },
      ...(from && { ExclusiveStartKey: from as unknown as JsonObject }),
    });
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from);
  return items;
}

/** What DynamoDB throws when it has written nothing. */
interface Cancelled {
  readonly name: string;
  readonly CancellationReasons?: readonly { readonly Code?: string }[];
}

/** Why nothing was written. Anything but that somebody else was there before is thrown. */
function refusal(error: Cancelled, isEvent: boolean): "changed" | "repeated" {
  const [head, seen] = (error.CancellationReasons ?? []).map(({ Code }) => Code);
  if (isEvent && seen === "ConditionalCheckFailed") return "repeated";
  if (head === "ConditionalCheckFailed" || error.name === "TransactionInProgressException") return "changed";
  if (error.CancellationReasons?.some(({ Code }) => Code === "TransactionConflict")) return "changed";
  throw error;
}

const unchanged = (version: number): JsonObject =>
  version === 0
    ? { ConditionExpression: "attribute_not_exists(pk)" }
    : { ConditionExpression: "version = :version", ExpressionAttributeValues: { ":version": { N: String(version) } } };

const firstSeen = ({ Put }: { readonly Put: object }) => ({
  Put: { ...Put, ConditionExpression: "attribute_not_exists(pk)" },
});

const itemOf = (pk: string, sk: string, body: unknown): Item => ({
  pk: { S: pk },
  sk: { S: sk },
  body: { S: JSON.stringify(body) },
});

const bodyOf = ({ body }: Item): Json => JSON.parse(body!.S!) as Json;

/** The entries of a space by their sort keys. */
function entriesOf({ events, waits, starts }: Space): ReadonlyMap<string, Arrival | Waiting | Starting> {
  return new Map<string, Arrival | Waiting | Starting>([
    ...events.map((each) => [`event#${String(each.order).padStart(12, "0")}${ofOne(each)}`, each] as const),
    ...waits.map((each) => [`wait#${each.key}`, each] as const),
    ...starts.map((each) => [`start#${each.name}${ofOne(each)}`, each] as const),
  ]);
}

/** What tells the entries of workflows apart that one event starts. */
const ofOne = ({ workflow }: Arrival | Starting): string => (workflow === undefined ? "" : `#${workflow}`);

/** The entries that are to be written, and the keys of those that are to be deleted. */
function* changed(before: Space, after: Space): Generator<readonly [string, unknown]> {
  const [old, now] = [entriesOf(before), entriesOf(after)];
  for (const [key, each] of now) {
    const known = old.get(key);
    if (known !== each && !(known && equalJson(json(known), json(each)))) yield [key, each];
  }
  for (const key of old.keys()) if (!now.has(key)) yield [key, undefined];
}

const json = (entry: object): Json => JSON.parse(JSON.stringify(entry)) as Json;

function spaceOf(items: readonly Item[]): Space {
  const under = <T>(kind: string): readonly T[] =>
    items.filter(({ sk }) => sk!.S!.startsWith(`${kind}#`)).map((item) => bodyOf(item) as T);
  const head = items.find(({ sk }) => sk!.S === "head");
  return {
    version: Number(head?.["version"]?.N ?? 0),
    next: head ? (bodyOf(head) as { next: number }).next : 0,
    events: under<Arrival>("event"),
    waits: under<Waiting>("wait"),
    starts: under<Starting>("start"),
    runs: new Map(),
  };
}
