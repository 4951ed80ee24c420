import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { withRetries } from "../../../../../targets/openwhisk/runtime/store/client.ts";
import { createCouchStore } from "../../../../../targets/openwhisk/runtime/store/couchdb.ts";
import { StoreFailure } from "../../../../../targets/openwhisk/runtime/store/store.ts";
import { type CouchServer, maxDocumentBytes, startCouch } from "./couchdb-stand-in.ts";
import { lawsOfStore } from "./laws.ts";

describe("a store in a database of CouchDB", () => {
  let server: CouchServer;
  let now = 0;
  beforeAll(async () => {
    server = await startCouch();
  });
  afterAll(() => server.stop());
  lawsOfStore(
    () => createCouchStore({ url: server.url }, () => now),
    async (ms) => {
      now += ms;
    },
  );
});

describe("what a database of CouchDB answers", () => {
  let server: CouchServer;
  beforeEach(async () => {
    server = await startCouch();
  });
  afterEach(() => server.stop());

  test("keys are parts of paths, with the prefix of their program", async () => {
    const store = createCouchStore({ url: server.url, prefix: "shop:" });
    await store.put("thread:a/b?c#d", 1, undefined);
    expect(server.asked).toEqual(["PUT shop%3Athread%3Aa%2Fb%3Fc%23d"]);
    expect(await createCouchStore({ url: server.url, prefix: "other:" }).keys("")).toEqual([]);
  });

  test.each([
    ["a wrong password", "password", "guess", /rejects a request: 401 .*Name or password is incorrect/],
    ["a database that is not there", "pathname", "/missing", /rejects a request: 404 .*no_db_file/],
    ["a server that is not there", "port", "1", /cannot be reached/],
  ] as const)("%s is a failure of the store", async (_, part, value, message) => {
    const url = new URL(server.url);
    url[part] = value;
    const failure = await createCouchStore({ url: url.href })
      .get("a")
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreFailure);
    expect(String(failure)).toMatch(message);
  });

  test("a document of more than 8 MB is an error that is not repeated", async () => {
    const store = createCouchStore({ url: server.url });
    const text = (bytes: number) => "x".repeat(bytes - JSON.stringify({ value: "" }).length);
    expect(await store.put("a", text(maxDocumentBytes), undefined)).toBe(true);
    const failure = await withRetries(
      () => store.put("b", text(maxDocumentBytes + 1), undefined),
      async () => undefined,
    ).catch((error: unknown) => error);
    expect(failure).not.toBeInstanceOf(StoreFailure);
    expect(String(failure)).toMatch(/^LimitError: CouchDB at 127.0.0.1:\d+ accepts no document of 8000001 bytes/);
    expect(server.asked).toEqual(["PUT waybill%3Aa", "PUT waybill%3Ab"]);
  });

  test("what is kept for some time is removed by whoever lists it later", async () => {
    let now = 0;
    const store = createCouchStore({ url: server.url }, () => now);
    await store.put("old", 1, undefined, { keepMs: 10 });
    now = 11;
    await store.keys("");
    expect(server.asked.at(-1)).toMatch(/^DELETE waybill%3Aold\?rev=1-/);
  });
});
