import { readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Engine } from "../../../../../targets/typescript/runtime/engine.ts";
import { StoreError } from "../../../../../targets/typescript/runtime/sqlite/file.ts";
import { event, type Place, place, until, workflowOf } from "./place.ts";

// A damaged store is rejected unchanged, or its readable part is used: no content ends the process.

let here: Place;
beforeEach(() => {
  here = place();
});
afterEach(() => here.leave());

const page = 4096;

const waiting = workflowOf(
  async (flow) => {
    const one = await flow.step("One", () => 1);
    await flow.receive("Wait");
    return one + 1;
  },
  {
    events: { go: { type: "go", correlation: ({ k }) => k ?? null } },
    correlation: (input: { readonly k: string }) => input.k,
    waits: { Wait: { alternatives: [{ all: [["go"]] }] } },
  },
);

/** The bytes of a store with waiting and ended runs. */
async function storeBytes(): Promise<Buffer> {
  const engine = here.open([waiting], {});
  const ids = Array.from({ length: 60 }, (_, i) => `run-${i}`);
  for (const id of ids) await engine.start("W", { k: id, more: "x".repeat(300) }, { id });
  await until(async () => (await engine.list({ status: "waiting" })).runs.length === ids.length);
  await engine.deliver(event("1", "go", { k: "run-3" }));
  await engine.ended("run-3");
  await engine.close();
  return readFileSync(here.store);
}

const damages: { readonly [kind: string]: (bytes: Buffer) => void } = {
  zeros: (bytes) => bytes.fill(0),
  "other bytes": (bytes) => {
    for (let i = 0; i < bytes.length; i++) bytes[i] = (bytes[i]! * 31 + i * 17 + 7) % 256;
  },
  "some other bits": (bytes) => {
    for (let i = 3; i < bytes.length; i += 97) bytes[i]! ^= 0x11;
  },
};

/** Calls all methods of an engine on a damaged store: each may reject, but must return. */
async function used(engine: Engine): Promise<void> {
  const asked = [
    () => engine.list({ limit: 100 }),
    () => engine.show("run-1"),
    () => engine.versions(),
    () => engine.start("W", { k: "new" }, { id: "new" }),
    () => engine.deliver(event("2", "go", { k: "run-1" })),
    () => engine.deliver(event("3", "go", { k: "new" })),
    () => engine.cancel("run-2"),
    () => engine.prune(Date.now()),
  ];
  for (const ask of asked)
    try {
      await Promise.race([ask(), new Promise((resolve) => setTimeout(resolve, 100))]);
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(Error);
    }
  await new Promise((resolve) => setTimeout(resolve, 5));
}

test.each(Object.keys(damages))(
  "a store of which a page is %s is refused and left as it is, or goes on with what it has",
  async (kind) => {
    const whole = await storeBytes();
    const found = new Map<string, number>();
    for (let at = 0; at < whole.length; at += page) {
      const bytes = Buffer.from(whole);
      damages[kind]!(bytes.subarray(at, at + page));
      writeFileSync(here.store, bytes);
      try {
        const engine = here.open([waiting], {});
        await used(engine);
        await engine.close().catch(() => undefined);
        found.set("opened", (found.get("opened") ?? 0) + 1);
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(StoreError);
        expect(readFileSync(here.store).equals(bytes)).toBe(true);
        found.set("refused", (found.get("refused") ?? 0) + 1);
      }
    }
    expect([...found.keys()].sort()).toEqual(["opened", "refused"]);
  },
);

test("a folder in the place of a store is refused", () => {
  expect(() => here.open([waiting], {}, { store: dirname(here.store) })).toThrow(StoreError);
});
