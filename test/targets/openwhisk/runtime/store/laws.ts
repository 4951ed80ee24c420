import { expect, test } from "vitest";
import { createDocuments } from "../../../../../targets/openwhisk/runtime/store/documents.ts";
import type { Store } from "../../../../../targets/openwhisk/runtime/store/store.ts";

/**
 * Tests the invariants of a store (see `Store`): `open` returns another client of the same empty store; `later`
 * advances time.
 */
export function lawsOfStore(open: () => Store, later: (ms: number) => Promise<void>): void {
  test("what was put is what is got, whatever is in it, until it is replaced or removed", async () => {
    const store = open();
    const value = {
      __proto__x: [1, null, "ü\r\n\u2028 😀 \u0000"],
      error: { $waybill: "timeout" },
      "a b": { "": -0.5 },
    };
    const key = "thread:run/ü *?[^-] 1";
    expect(await store.get(key)).toBeUndefined();
    expect(await store.put(key, value, undefined)).toBe(true);
    const first = await store.get(key);
    expect(first?.value).toEqual(value);
    expect(await store.put(key, "another", first?.revision)).toBe(true);
    const second = await store.get(key);
    expect(second?.value).toBe("another");
    expect(await store.remove(key, second!.revision)).toBe(true);
    expect(await store.get(key)).toBeUndefined();
    expect(await store.keys("thread:run/ü")).toEqual([]);
    await store.close();
  });

  test("a document that is there is not made, and one of another revision not touched", async () => {
    const [one, two] = [open(), open()];
    expect(await one.put("a", 1, undefined)).toBe(true);
    expect(await two.put("a", 2, undefined)).toBe(false);
    const { revision } = (await two.get("a"))!;
    expect(await two.put("a", 2, revision)).toBe(true);
    expect(await one.put("a", 3, revision)).toBe(false);
    expect(await one.remove("a", revision)).toBe(false);
    expect(await one.put("missing", 1, revision)).toBe(false);
    expect(await one.remove("missing", revision)).toBe(false);
    expect((await one.get("a"))?.value).toBe(2);
    await Promise.all([one.close(), two.close()]);
  });

  test("a revision does not come back with a document that is made anew", async () => {
    const store = open();
    await store.put("again", 1, undefined);
    const { revision } = (await store.get("again"))!;
    await store.remove("again", revision);
    await store.put("again", 1, undefined);
    expect(await store.put("again", 2, revision)).toBe(false);
    expect((await store.get("again"))?.value).toBe(1);
    await store.close();
  });

  test("of many that replace the same revision one succeeds", async () => {
    const stores = Array.from({ length: 8 }, open);
    await stores[0]!.put("race", -1, undefined);
    const { revision } = (await stores[0]!.get("race"))!;
    const puts = stores.map((store, i) =>
      i % 4 === 3 ? store.remove("race", revision) : store.put("race", i, revision),
    );
    const done = await Promise.all([...puts, ...stores.map((store) => store.put("race", 100, revision))]);
    expect(done.filter(Boolean)).toHaveLength(1);
    await Promise.all(stores.map((store) => store.close()));
  });

  test("what many change at once is changed by each, once", async () => {
    const stores = Array.from({ length: 6 }, open);
    const changes = stores.flatMap((store, i) => {
      const documents = createDocuments(store, { sleep: async () => undefined });
      return [0, 1, 2].map((n) =>
        documents.change<readonly string[]>("list", `${i}.${n}`, (list = []) => [...list, `${i}.${n}`]),
      );
    });
    await Promise.all(changes);
    const all = stores.flatMap((_, i) => [`${i}.0`, `${i}.1`, `${i}.2`]);
    const list = await createDocuments(stores[0]!, { sleep: async () => undefined }).read<readonly string[]>("list");
    expect([...list!].sort()).toEqual(all);
    await Promise.all(stores.map((store) => store.close()));
  });

  test("keys are those that begin with a text, sorted", async () => {
    const store = open();
    for (const key of ["key:b", "key:", "key:a*", "ke", "key:a/1", "kez:"]) await store.put(key, 1, undefined);
    expect(await store.keys("key:")).toEqual(["key:", "key:a*", "key:a/1", "key:b"]);
    expect(await store.keys("key:a*")).toEqual(["key:a*"]);
    expect(await store.keys("none")).toEqual([]);
    await store.close();
  });

  test("a document that is kept for some time is gone after it, and one that is put again without is not", async () => {
    const store = open();
    await store.put("short", 1, undefined, { keepMs: 60 });
    await store.put("long", 1, undefined, { keepMs: 60 });
    await store.put("long", 2, (await store.get("long"))!.revision);
    await later(150);
    expect(await store.get("short")).toBeUndefined();
    expect(await store.keys("short")).toEqual([]);
    expect(await store.put("short", 3, undefined)).toBe(true);
    expect((await store.get("long"))?.value).toBe(2);
    await store.close();
  });
}
