import { describe, expect, test } from "vitest";
import {
  createDynamoDB,
  type Item,
  itemSize,
  limits,
  serviceError,
} from "../../../../targets/asl/simulator/dynamodb/index.ts";
import { createVirtualClock } from "../../../virtual-clock.ts";

const table = { TableName: "t" };
const key = (sk: string, pk = "p"): Item => ({ pk: { S: pk }, sk: { S: sk } });
const item = (sk: string, more: Item = {}, pk = "p"): Item => ({ ...key(sk, pk), ...more });
const put = (sk: string, more: Item = {}, pk = "p") => ({ Put: { ...table, Item: item(sk, more, pk) } });
const text = (length: number): Item => ({ body: { S: "x".repeat(length) } });

async function tableWith(items: readonly Item[]) {
  const dynamodb = createDynamoDB();
  for (const each of items) await dynamodb.putItem({ ...table, Item: each });
  dynamodb.resetUsage();
  return dynamodb;
}

const failure = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (reason: Error) => reason as Error & { CancellationReasons?: readonly { Code: string; Item?: Item }[] },
  );
  return (
    error && { name: error.name, message: error.message, codes: error.CancellationReasons?.map(({ Code }) => Code) }
  );
};

describe("limits", () => {
  test("a transaction has at most 100 operations", async () => {
    const dynamodb = createDynamoDB();
    const items = (count: number) => Array.from({ length: count }, (_, i) => put(`${i}`));
    await dynamodb.transactWriteItems({ TransactItems: items(100) });
    expect((await failure(dynamodb.transactWriteItems({ TransactItems: items(101) })))?.name).toBe(
      "ValidationException",
    );
    expect((await failure(dynamodb.transactWriteItems({ TransactItems: [] })))?.name).toBe("ValidationException");
  });

  test("a transaction has at most 4 MB, and nothing of a larger one is written", async () => {
    const dynamodb = createDynamoDB();
    const items = (count: number) => Array.from({ length: count }, (_, i) => put(`${i}`, text(400_000)));
    expect((await failure(dynamodb.transactWriteItems({ TransactItems: items(11) })))?.message).toContain("4 MB");
    expect((await dynamodb.query(all)).Count).toBe(0);
    await dynamodb.transactWriteItems({ TransactItems: items(10) });
  });

  test("a transaction has one operation for each item", async () => {
    const dynamodb = createDynamoDB();
    const twice = [put("a"), { Delete: { ...table, Key: key("a") } }];
    const found = await failure(dynamodb.transactWriteItems({ TransactItems: twice }));
    expect(found?.message).toBe("Transaction request cannot include multiple operations on one item");
  });

  test("an item has at most 400 KB of names and values in UTF-8", async () => {
    const dynamodb = createDynamoDB();
    const overhead = itemSize(item("a", text(0)));
    expect(overhead).toBe("pk".length + 1 + "sk".length + 1 + "body".length);
    await dynamodb.putItem({ ...table, Item: item("a", text(409_600 - overhead)) });
    const tooLarge = [text(409_601 - overhead), { body: { S: "é".repeat(204_801) } }];
    for (const more of tooLarge) {
      const found = await failure(dynamodb.putItem({ ...table, Item: item("a", more) }));
      expect(found).toMatchObject({ name: "ValidationException", message: expect.stringContaining("Item size") });
      const within = await failure(dynamodb.transactWriteItems({ TransactItems: [put("a", more)] }));
      expect(within?.name).toBe("ValidationException");
    }
  });

  test("an update of a transaction that makes an item too large cancels it", async () => {
    const dynamodb = await tableWith([item("a", text(300_000))]);
    const Update = {
      ...table,
      Key: key("a"),
      UpdateExpression: "SET more = :more",
      ExpressionAttributeValues: { ":more": { S: "x".repeat(200_000) } },
    };
    const found = await failure(dynamodb.transactWriteItems({ TransactItems: [put("b"), { Update }] }));
    expect(found?.codes).toEqual(["None", "ValidationError"]);
    expect((await failure(dynamodb.updateItem(Update)))?.name).toBe("ValidationException");
  });

  test("keys are strings of at most 2,048 and 1,024 bytes, and not empty", async () => {
    const dynamodb = createDynamoDB();
    await dynamodb.putItem({ ...table, Item: item("s".repeat(1024), {}, "p".repeat(2048)) });
    const wrong = [item("s".repeat(1025)), item("é".repeat(513)), item("s", {}, "p".repeat(2049)), item(""), text(1)];
    for (const each of wrong)
      expect((await failure(dynamodb.putItem({ ...table, Item: each })))?.name).toBe("ValidationException");
  });

  test("a batch writes at most 25 items, each once, and reads at most 100", async () => {
    const dynamodb = createDynamoDB();
    const writes = (count: number) => ({
      RequestItems: { t: Array.from({ length: count }, (_, i) => ({ PutRequest: { Item: item(`${i}`) } })) },
    });
    expect(await dynamodb.batchWriteItem(writes(25))).toEqual({ UnprocessedItems: {} });
    expect((await failure(dynamodb.batchWriteItem(writes(26))))?.name).toBe("ValidationException");
    const twice = { RequestItems: { t: [...writes(1).RequestItems.t, { DeleteRequest: { Key: key("0") } }] } };
    expect((await failure(dynamodb.batchWriteItem(twice)))?.message).toContain("duplicates");
    const reads = (count: number) => ({
      RequestItems: { t: { Keys: Array.from({ length: count }, (_, i) => key(`${i}`)) } },
    });
    expect((await dynamodb.batchGetItem(reads(100))).Responses["t"]).toHaveLength(25);
    expect((await failure(dynamodb.batchGetItem(reads(101))))?.name).toBe("ValidationException");
  });

  test("a batch returns what was not processed", async () => {
    const dynamodb = createDynamoDB({ isUnprocessed: ({ sk }) => sk === "b" });
    const remove = (sk: string) => ({ DeleteRequest: { Key: key(sk) } });
    const RequestItems = { t: [{ PutRequest: { Item: item("a") } }, remove("b")] };
    expect(await dynamodb.batchWriteItem({ RequestItems })).toEqual({ UnprocessedItems: { t: [remove("b")] } });
    const Keys = [key("a"), key("b")];
    expect(await dynamodb.batchGetItem({ RequestItems: { t: { Keys, ConsistentRead: true } } })).toEqual({
      Responses: { t: [item("a")] },
      UnprocessedKeys: { t: { Keys: [key("b")], ConsistentRead: true } },
    });
  });

  test("values have one type, numbers have 38 digits, and sets are not empty", async () => {
    const dynamodb = createDynamoDB();
    const wrong = [
      { S: "a", N: "1" },
      { N: "one" },
      { N: "1".repeat(39) },
      { SS: [] },
      { SS: ["a", "a"] },
      {},
      { L: [{ X: 1 }] },
    ] as unknown as Item[string][];
    for (const value of wrong)
      expect((await failure(dynamodb.putItem({ ...table, Item: item("a", { value }) })))?.name).toBe(
        "ValidationException",
      );
    const right = { value: { L: [{ M: { a: { N: "1.5e3" } } }, { NULL: true }, { B: new Uint8Array(3) }] } };
    await dynamodb.putItem({ ...table, Item: item("a", right) });
    expect(itemSize(right)).toBe(5 + 3 + (1 + 3 + 1 + 1 + 2) + (1 + 1) + (1 + 3));
  });

  test("a partition has so many units each second", async () => {
    const clock = createVirtualClock();
    const dynamodb = createDynamoDB({ clock, partitionUnits: { read: 3, write: 2 } });
    const write = () => dynamodb.putItem({ ...table, Item: item("a") });
    await write();
    await write();
    expect((await failure(write()))?.name).toBe("ThrottlingException");
    expect((await failure(dynamodb.transactWriteItems({ TransactItems: [put("b")] })))?.codes).toEqual([
      "ThrottlingError",
    ]);
    await dynamodb.putItem({ ...table, Item: item("a", {}, "other") });
    await clock.run(clock.sleep(1000));
    await write();
  });
});

const all = {
  ...table,
  KeyConditionExpression: "pk = :p",
  ExpressionAttributeValues: { ":p": { S: "p" } },
  ConsistentRead: true,
};
const sortKeys = (items: readonly Item[]) => items.map(({ sk }) => sk!.S);

describe("a query", () => {
  const where = (condition: string, values: { readonly [name: string]: string }, more: object = {}) => ({
    ...all,
    KeyConditionExpression: `pk = :p AND ${condition}`,
    ExpressionAttributeValues: {
      ":p": { S: "p" },
      ...Object.fromEntries(Object.entries(values).map(([name, each]) => [name, { S: each }])),
    },
    ...more,
  });

  test("selects a range of sort keys", async () => {
    const dynamodb = await tableWith(["c", "a2", "b", "a1", "a", "ab"].map((sk) => item(sk)));
    await dynamodb.putItem({ ...table, Item: item("b", {}, "q") });
    const found = async (...given: Parameters<typeof where>) => sortKeys((await dynamodb.query(where(...given))).Items);
    expect(sortKeys((await dynamodb.query(all)).Items)).toEqual(["a", "a1", "a2", "ab", "b", "c"]);
    expect(await found("begins_with(sk, :s)", { ":s": "a" })).toEqual(["a", "a1", "a2", "ab"]);
    expect(await found("sk BETWEEN :low AND :high", { ":low": "a1", ":high": "b" })).toEqual(["a1", "a2", "ab", "b"]);
    expect(await found("sk > :s", { ":s": "a2" })).toEqual(["ab", "b", "c"]);
    expect(await found("sk >= :s", { ":s": "a2" })).toEqual(["a2", "ab", "b", "c"]);
    expect(await found("sk < :s", { ":s": "a2" })).toEqual(["a", "a1"]);
    expect(await found("sk <= :s", { ":s": "aa" })).toEqual(["a", "a1", "a2"]);
    expect(await found("sk = :s", { ":s": "b" })).toEqual(["b"]);
    expect(await found("sk < :s", { ":s": "b" }, { ScanIndexForward: false, Limit: 2 })).toEqual(["ab", "a2"]);
  });

  test("orders keys by their bytes in UTF-8", async () => {
    const dynamodb = await tableWith(["\u{1f600}", "\uffff", "é", "z"].map((sk) => item(sk)));
    expect(sortKeys((await dynamodb.query(all)).Items)).toEqual(["z", "é", "\uffff", "\u{1f600}"]);
  });

  test.each([true, false])("is paged by its limit, forward: %s", async (ScanIndexForward) => {
    const names = ["a", "b", "c", "d", "e"];
    const dynamodb = await tableWith(names.map((sk) => item(sk)));
    const found: (string | undefined)[] = [];
    let from: Item | undefined;
    do {
      const page = await dynamodb.query({
        ...all,
        Limit: 2,
        ScanIndexForward,
        ...(from && { ExclusiveStartKey: from }),
      });
      found.push(...sortKeys(page.Items));
      from = page.LastEvaluatedKey;
    } while (from);
    expect(found).toEqual(ScanIndexForward ? names : names.toReversed());
  });

  test("reads at most 1 MB, and filters afterwards", async () => {
    const dynamodb = await tableWith(["a", "b", "c"].map((sk) => item(sk, { ...text(400_000), kind: { S: sk } })));
    const filter = { FilterExpression: "kind = :c", ExpressionAttributeValues: { ":p": { S: "p" }, ":c": { S: "c" } } };
    const first = await dynamodb.query({ ...all, ...filter });
    expect(first).toEqual({ Items: [], Count: 0, ScannedCount: 2, LastEvaluatedKey: key("b") });
    const second = await dynamodb.query({ ...all, ...filter, ExclusiveStartKey: first.LastEvaluatedKey });
    expect([sortKeys(second.Items), second.LastEvaluatedKey]).toEqual([["c"], undefined]);
  });

  test("needs one partition, and at most one condition on the sort key", async () => {
    const dynamodb = createDynamoDB();
    const wrong = [
      where("sk <> :s", { ":s": "a" }),
      where("sk > :s AND sk < :t", { ":s": "a", ":t": "b" }),
      where("body = :s", { ":s": "a" }),
      { ...all, KeyConditionExpression: "pk > :p" },
      { ...all, KeyConditionExpression: "pk = :p OR pk = :p" },
    ];
    for (const each of wrong) expect((await failure(dynamodb.query(each)))?.name).toBe("ValidationException");
  });
});

describe("expressions", () => {
  const stored = item("a", {
    version: { N: "3" },
    owner2: { S: "run#7" },
    tags: { SS: ["x", "y"] },
    tree: { M: { leaves: { L: [{ S: "first" }] } } },
  });
  const check = (condition: string, values: Item = {}, names: { readonly [name: string]: string } = {}) => ({
    ...table,
    Key: key("a"),
    UpdateExpression: "SET checked = :true",
    ConditionExpression: condition,
    ExpressionAttributeValues: { ":true": { BOOL: true }, ...values },
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
  });
  const n = (value: number): Item => ({ ":n": { N: String(value) } });

  test.each([
    ["attribute_exists(version)", {}, true],
    ["attribute_not_exists(version)", {}, false],
    ["attribute_not_exists(absent)", {}, true],
    ["version = :n", n(3), true],
    ["version = :n", { ":n": { N: "3.0" } }, true],
    ["version = :n", { ":n": { S: "3" } }, false],
    ["version <> :n", n(3), false],
    ["version < :n", n(10), true],
    ["version > :n", n(3), false],
    ["version >= :n", n(3), true],
    ["absent < :n", n(10), false],
    ["absent <> :n", n(10), true],
    ["NOT absent = :n", n(10), true],
    ["begins_with(owner2, :s)", { ":s": { S: "run#" } }, true],
    ["begins_with(version, :s)", { ":s": { S: "3" } }, false],
    ["version BETWEEN :n AND :m", { ...n(1), ":m": { N: "3" } }, true],
    ["version IN (:n, :m)", { ...n(1), ":m": { N: "3" } }, true],
    ["contains(tags, :s)", { ":s": { S: "y" } }, true],
    ["size(tags) = :n", n(2), true],
    ["tree.leaves[0] = :s", { ":s": { S: "first" } }, true],
    ["attribute_not_exists(tree.leaves[1])", {}, true],
    ["attribute_exists(absent) OR version = :n AND begins_with(owner2, :s)", { ...n(3), ":s": { S: "run" } }, true],
    ["(attribute_exists(version) OR version = :n) AND attribute_exists(absent)", n(3), false],
  ] as const)("%s, %j: %s", async (condition, values, isTrue) => {
    const dynamodb = await tableWith([stored]);
    const name = (await failure(dynamodb.updateItem(check(condition, values))))?.name;
    expect(name).toBe(isTrue ? undefined : "ConditionalCheckFailedException");
  });

  test.each([
    ["a reserved word", check("ttl = :n", n(1))],
    ["a reserved word in lower case", check("attribute_exists(wait)")],
    ["an unused value", check("attribute_exists(version)", n(1))],
    ["an unused name", check("attribute_exists(version)", {}, { "#x": "x" })],
    ["an undefined value", check("version = :n")],
    ["an undefined name", check("attribute_exists(#x)")],
    ["a missing operator", check("version :n", n(1))],
    ["more after the end", check("version = :n version", n(1))],
    ["a function that does not exist", check("matches(version, :n)", n(1))],
    ["more than 4 KB", check(`version = :n${" OR version = :n".repeat(300)}`, n(1))],
    ["an empty expression", check("")],
  ])("%s is rejected", async (_, request) => {
    const dynamodb = await tableWith([stored]);
    const given = request.ConditionExpression === "" ? { ...request, ConditionExpression: " " } : request;
    expect((await failure(dynamodb.updateItem(given)))?.name).toBe("ValidationException");
  });

  test("a placeholder stands for a reserved word", async () => {
    const dynamodb = await tableWith([item("a", { ttl: { N: "1" } })]);
    await dynamodb.updateItem(check("#ttl = :n", n(1), { "#ttl": "ttl" }));
  });

  const update = async (UpdateExpression: string, ExpressionAttributeValues: Item = {}) => {
    const dynamodb = await tableWith([stored]);
    const ReturnValues = "ALL_NEW";
    const request = { ...table, Key: key("a"), UpdateExpression, ReturnValues };
    const hasValues = Object.keys(ExpressionAttributeValues).length > 0;
    return (await dynamodb.updateItem({ ...request, ...(hasValues && { ExpressionAttributeValues }) })).Attributes!;
  };

  test("updates set, remove, add and delete", async () => {
    expect(await update("SET version = version + :n, copied = version", n(2))).toMatchObject({
      version: { N: "5" },
      copied: { N: "3" },
    });
    expect(await update("SET fresh = if_not_exists(fresh, :n)", n(2))).toMatchObject({ fresh: { N: "2" } });
    expect(await update("REMOVE tags")).not.toHaveProperty("tags");
    const changed = await update("ADD version :n, tags :s DELETE absent :s", { ...n(-1), ":s": { SS: ["y", "z"] } });
    expect(changed).toMatchObject({ version: { N: "2" }, tags: { SS: ["x", "y", "z"] } });
  });

  test.each([
    ["SET sk = :n", n(1)],
    ["SET version = :n, version = :n", n(1)],
    ["SET version = :n SET copied = :n", n(1)],
    ["SET version = absent", {}],
    ["ADD owner2 :n", n(1)],
    ["PUT version :n", n(1)],
  ] as const)("%s is rejected", async (expression, values) => {
    expect((await failure(update(expression, values)))?.name).toBe("ValidationException");
  });

  test("a field that does not exist is an error, since the service would ignore it", async () => {
    const wrong = { ...table, Item: item("a"), ConditonExpression: "attribute_not_exists(pk)" };
    await expect(createDynamoDB().putItem(wrong)).rejects.toThrow("ConditonExpression");
    await expect(createDynamoDB().transactWriteItems({ TransactItems: [{ Put: wrong }] })).rejects.toThrow("Conditon");
  });
});

describe("a transaction", () => {
  test("writes everything or nothing, and gives the reason of each operation", async () => {
    const dynamodb = await tableWith([item("a"), item("b")]);
    const absent = { ConditionExpression: "attribute_not_exists(pk)", ReturnValuesOnConditionCheckFailure: "ALL_OLD" };
    const transaction = (sk: string) => [
      { Put: { ...put(sk).Put, ...absent } },
      { Delete: { ...table, Key: key("b") } },
      { ConditionCheck: { ...table, Key: key("a2"), ConditionExpression: "attribute_not_exists(pk)" } },
    ];
    const found = await dynamodb
      .transactWriteItems({ TransactItems: transaction("a") })
      .catch((error: unknown) => error);
    expect(found).toMatchObject({
      name: "TransactionCanceledException",
      CancellationReasons: [{ Code: "ConditionalCheckFailed", Item: item("a") }, { Code: "None" }, { Code: "None" }],
    });
    expect(sortKeys((await dynamodb.query(all)).Items)).toEqual(["a", "b"]);
    await dynamodb.transactWriteItems({ TransactItems: transaction("c") });
    expect(sortKeys((await dynamodb.query(all)).Items)).toEqual(["a", "c"]);
    expect(dynamodb.usage().canceled).toBe(1);
  });

  test("conflicts with others that need an item of it meanwhile, and reads see nothing of it", async () => {
    const clock = createVirtualClock();
    const dynamodb = createDynamoDB({ clock, latencies: { read: 5, write: 4, transaction: 12 } });
    const transact = async (at: number, sk: string) => {
      await clock.sleep(at);
      return failure(dynamodb.transactWriteItems({ TransactItems: [put("shared", { by: { S: sk } }), put(sk)] }));
    };
    const write = async (at: number) => {
      await clock.sleep(at);
      return failure(dynamodb.putItem({ ...table, Item: item("shared") }));
    };
    const read = async (at: number) => {
      await clock.sleep(at);
      return (await dynamodb.query(all)).Count;
    };
    const [first, second, single, reading, later] = await clock.run(
      Promise.all([transact(0, "a"), transact(1, "b"), write(3), read(5), transact(20, "c")]),
    );
    expect([first, later]).toEqual([undefined, undefined]);
    expect(second?.codes).toEqual(["TransactionConflict", "None"]);
    expect([single?.name, reading]).toEqual(["TransactionConflictException", 0]);
    expect(dynamodb.usage().canceled).toBe(1);
  });

  test("with a token takes place once", async () => {
    const clock = createVirtualClock();
    const dynamodb = createDynamoDB({ clock, latencies: { read: 5, write: 4, transaction: 12 } });
    const request = { TransactItems: [put("a")], ClientRequestToken: "once" };
    const again = async () => failure(dynamodb.transactWriteItems(request));
    const [first, meanwhile] = await clock.run(Promise.all([again(), again()]));
    expect([first, meanwhile?.name]).toEqual([undefined, "TransactionInProgressException"]);
    await clock.run(dynamodb.deleteItem({ ...table, Key: key("a") }));
    expect(await clock.run(again())).toBeUndefined();
    expect((await clock.run(dynamodb.query(all))).Count).toBe(0);
    const other = { ...request, TransactItems: [put("b")] };
    expect((await failure(dynamodb.transactWriteItems(other)))?.name).toBe("IdempotentParameterMismatchException");
  });
});

describe("what is billed", () => {
  test("reads: 4 KB, half if they need not be consistent", async () => {
    const dynamodb = await tableWith([item("a", text(5000)), item("b", text(5000)), item("c")]);
    const units = async (work: () => Promise<unknown>) => {
      dynamodb.resetUsage();
      await work();
      return dynamodb.usage().readUnits;
    };
    const get = (sk: string, ConsistentRead = true) => dynamodb.getItem({ ...table, Key: key(sk), ConsistentRead });
    expect(await units(() => get("a"))).toBe(2);
    expect(await units(() => get("a", false))).toBe(1);
    expect(await units(() => get("absent"))).toBe(1);
    expect(await units(() => dynamodb.query(all))).toBe(3);
    const Keys = [key("a"), key("b")];
    const batch = { RequestItems: { t: { Keys, ConsistentRead: true } } };
    expect(await units(() => dynamodb.batchGetItem(batch))).toBe(4);
  });

  test("writes: 1 KB of the larger of old and new item, twice in transactions, and also if a condition fails", async () => {
    const dynamodb = await tableWith([item("a", text(3000))]);
    const units = async (work: () => Promise<unknown>) => {
      dynamodb.resetUsage();
      await failure(work());
      return dynamodb.usage().writeUnits;
    };
    const absent = { ConditionExpression: "attribute_not_exists(pk)" };
    expect(await units(() => dynamodb.putItem({ ...table, Item: item("b") }))).toBe(1);
    expect(await units(() => dynamodb.putItem({ ...table, Item: item("a"), ...absent }))).toBe(3);
    expect(await units(() => dynamodb.transactWriteItems({ TransactItems: [put("a"), put("c")] }))).toBe(8);
    expect(await units(() => dynamodb.deleteItem({ ...table, Key: key("absent") }))).toBe(1);
  });
});

describe("time", () => {
  test("an item outlives its ttl for a while", async () => {
    const clock = createVirtualClock(0);
    const dynamodb = createDynamoDB({ clock, expiryDelay: 10_000 });
    const items = [item("a", { ttl: { N: "100" } }), item("b")];
    for (const each of items) await dynamodb.putItem({ ...table, Item: each });
    const found = async () => sortKeys((await dynamodb.query(all)).Items);
    await clock.run(clock.sleep(109_000));
    expect(await found()).toEqual(["a", "b"]);
    await clock.run(clock.sleep(1000));
    expect(await found()).toEqual(["b"]);
    expect(await dynamodb.getItem({ ...table, Key: key("a") })).toEqual({});
    await dynamodb.putItem({ ...table, Item: items[0]!, ConditionExpression: "attribute_not_exists(pk)" });
  });

  test("expired items can be deleted at once", async () => {
    const clock = createVirtualClock();
    const dynamodb = createDynamoDB({ clock });
    const at = (seconds: number) => ({ ttl: { N: String(clock.now() / 1000 + seconds) } });
    const ages = { past: at(-1), future: at(1), longPast: at(-6 * 365 * 86_400) };
    for (const [name, ttl] of Object.entries(ages)) await dynamodb.putItem({ ...table, Item: item(name, ttl) });
    dynamodb.deleteExpired();
    expect(sortKeys((await dynamodb.query(all)).Items)).toEqual(["future", "longPast"]);
  });

  test("operations take their latencies", async () => {
    const clock = createVirtualClock(0);
    const dynamodb = createDynamoDB({ clock, latencies: { read: 5, write: 4, transaction: 12, perMegabyte: 10 } });
    const time = async (work: () => Promise<unknown>) => {
      const before = clock.now();
      await clock.run(work());
      return clock.now() - before;
    };
    expect(await time(() => dynamodb.putItem({ ...table, Item: item("a", text(99_990)) }))).toBe(4);
    expect(await time(() => dynamodb.query(all))).toBe(6);
    expect(await time(() => dynamodb.transactWriteItems({ TransactItems: [put("b")] }))).toBe(12);
  });
});

test("a request can fail before it takes place, or lose its response", async () => {
  const lost = serviceError("TimeoutError");
  let isApplied = false;
  const dynamodb = createDynamoDB({
    fault: (operation) => (operation === "query" ? undefined : { error: lost, isApplied }),
  });
  const write = () => failure(dynamodb.transactWriteItems({ TransactItems: [put("a")] }));
  expect([(await write())?.name, (await dynamodb.query(all)).Count]).toEqual(["TimeoutError", 0]);
  isApplied = true;
  expect([(await write())?.name, (await dynamodb.query(all)).Count]).toEqual(["TimeoutError", 1]);
});

test("the limits are those of the service", () => {
  expect(limits).toMatchObject({ item: 400 * 1024, transaction: 4 * 1024 ** 2, page: 1024 ** 2 });
});
