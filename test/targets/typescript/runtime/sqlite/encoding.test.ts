import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Codec, EngineOptions } from "../../../../../targets/typescript/runtime/engine.ts";
import { EventRefused } from "../../../../../targets/typescript/runtime/errors.ts";
import { encodingOf } from "../../../../../targets/typescript/runtime/sqlite/encoding.ts";
import { openEngine } from "../../../../../targets/typescript/runtime/sqlite/engine.ts";
import { forms } from "../../../../../targets/typescript/runtime/sqlite/schema.ts";
import { statementsOf } from "../../../../../targets/typescript/runtime/sqlite/statements.ts";
import { sqliteStore } from "../../../../../targets/typescript/runtime/sqlite/store.ts";
import { correlated, event, until, workflowOf } from "../../../../hosts/samples.ts";

/** Encrypts with the first key and decrypts with any of them. */
const encryption = (...keys: readonly Uint8Array[]): Codec => ({
  encode(data) {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", keys[0]!, nonce);
    const encrypted = Buffer.concat([cipher.update(data), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
  },
  decode(data) {
    for (const key of keys) {
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, data.subarray(0, 12));
        decipher.setAuthTag(data.subarray(12, 28));
        return Buffer.concat([decipher.update(data.subarray(28)), decipher.final()]);
      } catch {
        // The next key may be the right one.
      }
    }
    throw new Error("No key decrypts it.");
  },
});

const [first, second] = [randomBytes(32), randomBytes(32)];

/** Uses all tables, with a payload in each. */
const workflow = workflowOf(
  async (flow, input) => {
    const result = await flow.step("Step", () => "PAYLOAD of a result");
    const failed = await flow
      .step("Fail", () => {
        throw Object.assign(new Error("PAYLOAD of a message"), { data: "PAYLOAD of data" });
      })
      .catch((error: Error) => error.message);
    await flow.emit("Tell", "told", "PAYLOAD of an emitted event");
    const { events } = await flow.receive("Wait", { variables: { secret: "PAYLOAD of a variable" } } as never);
    await flow.sleep("Nap", 0.02);
    if (input === "PAYLOAD that fails") throw new Error("PAYLOAD of an error");
    return [result, failed, events[0]!.event.data!];
  },
  {
    ...correlated,
    events: { ...correlated.events!, told: { type: "told", source: "test" } },
    waits: { Wait: { alternatives: [{ all: [["go"]] }] } },
  },
);

const folder = () => {
  const path = mkdtempSync(join(tmpdir(), "waybill-codec-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};
const contentOf = (path: string) =>
  readdirSync(path)
    .map((name) => readFileSync(join(path, name), "latin1"))
    .join("");
const open = (path: string, more: Partial<EngineOptions>) =>
  openEngine({
    store: join(path, "runs.db"),
    workflows: [workflow],
    functions: {},
    send: () => Promise.reject(new EventRefused("PAYLOAD of a refusal")),
    log: () => undefined,
    ...more,
  });

test("no payload is in the files of a store with a codec, and all are read back", async () => {
  const path = folder();
  const codec = encryption(first);
  const engine = open(path, { codec });
  await engine.start("W", "PAYLOAD of an input", { id: "a" });
  await engine.start("W", "PAYLOAD that fails", { id: "b" });
  await engine.start("W", "PAYLOAD that waits", { id: "c" });
  await until(async () => (await engine.list({ status: "waiting" })).runs.length === 3);
  await engine.deliver(event("1", { who: "a", data: "PAYLOAD of an event" }));
  await engine.deliver(event("2", { who: "b", data: "PAYLOAD of an event" }));
  await engine.deliver(event("3", { who: "nobody", data: "PAYLOAD of an unused event" }));
  expect((await engine.ended("a")).output).toEqual([
    "PAYLOAD of a result",
    "PAYLOAD of a message",
    "PAYLOAD of an event",
  ]);
  expect((await engine.ended("b")).error?.message).toBe("PAYLOAD of an error");
  await until(async () => (await engine.unsent()).refused === 3);
  expect(contentOf(path)).not.toContain("PAYLOAD");
  await engine.close();
  expect(contentOf(path)).not.toContain("PAYLOAD");
  expect(contentOf(path)).toContain("Fail");

  const again = open(path, { codec, isPaused: true });
  expect(await again.show("c")).toMatchObject({ input: "PAYLOAD that waits", status: "waiting" });
  expect((await again.show("a"))!.unsent[0]?.reason).toContain("PAYLOAD of a refusal");
  expect((await again.list({ status: "failed" })).runs[0]!.error!.message).toBe("PAYLOAD of an error");
  const { steps } = (await again.steps("a"))!;
  expect(steps.find(({ key }) => key === "Step")?.result).toBe("PAYLOAD of a result");
  expect(steps.find(({ key }) => key === "Fail")?.error?.message).toBe("PAYLOAD of a message");
  await again.close();
});

test("a waiting run continues in a process whose codec has a new key, and the next one encrypts with it", async () => {
  const path = folder();
  const engine = open(path, { codec: encryption(first) });
  await engine.start("W", "in", { id: "a" });
  await until(async () => (await engine.show("a"))?.status === "waiting");
  await engine.close();
  const rotated = open(path, { codec: encryption(second, first) });
  await rotated.start("W", "in", { id: "b" });
  await rotated.deliver(event("1", { who: "a", data: 1 }));
  expect((await rotated.ended("a")).output).toEqual(["PAYLOAD of a result", "PAYLOAD of a message", 1]);
  await rotated.close();
  const newest = open(path, { codec: encryption(second), isPaused: true });
  expect((await newest.show("b"))?.input).toBe("in");
  await expect(newest.show("a")).rejects.toThrow("The codec cannot decode stored data: No key decrypts it.");
  await newest.close();
});

test("a store keeps its plain data readable when it gets a codec, and requires one from then on", async () => {
  const path = folder();
  const plain = open(path, {});
  await plain.start("W", "in", { id: "a" });
  await until(async () => (await plain.show("a"))?.status === "waiting");
  await plain.close();
  const engine = open(path, { codec: encryption(first) });
  await engine.deliver(event("1", { who: "a", data: 1 }));
  expect((await engine.ended("a")).status).toBe("succeeded");
  expect((await engine.show("a"))?.input).toBe("in");
  await engine.close();
  expect(() => open(path, {})).toThrow("are encoded, and there is no codec (--codec)");
});

describe("statements", () => {
  const db = new DatabaseSync(":memory:");
  for (const form of forms) db.exec(form);
  const texts: string[] = [];
  const store = sqliteStore(db);
  const prepare = store.prepare.bind(store);
  store.prepare = (text) => {
    texts.push(text);
    return prepare(text);
  };
  statementsOf(store);
  const ofPayloads = /\b(?:input|output|error|reason|value|data|entered|text)\b/;

  test("with payloads as parameters are recognized", () => {
    const found = texts.flatMap((text) => {
      const { parameters } = encodingOf(text);
      return parameters.length === 0 ? [] : [`${text.slice(0, 24)} ${parameters.join(",")}`];
    });
    expect(found).toMatchInlineSnapshot(`
      [
        "INSERT INTO runs (id, wo 4",
        "UPDATE runs SET status = 2,3",
        "UPDATE runs SET status = 1",
        "INSERT INTO journal (run 4",
        "INSERT INTO journal (run 4",
        "INSERT INTO rounds VALUE 5,6",
        "UPDATE events SET text = 0",
        "INSERT INTO waits (run,  8",
        "UPDATE waits SET open =  2",
        "INSERT INTO outbox (run, 2",
        "UPDATE outbox SET attemp 1",
        "UPDATE outbox SET attemp 1",
        "UPDATE tasks SET state = 1",
      ]
    `);
    const others = texts.filter(
      (text) => /^(?:INSERT|UPDATE)/.test(text) && ofPayloads.test(text) && encodingOf(text).parameters.length === 0,
    );
    expect(others.map((text) => text.slice(0, 60))).toMatchInlineSnapshot(`
      [
        "INSERT INTO meta VALUES ('clock', ?) ON CONFLICT (name) DO U",
        "UPDATE runs SET status = 'running', updated = ?, error = NUL",
        "UPDATE runs SET status = 'running', reason = NULL, deaths = ",
        "INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE ",
        "INSERT INTO meta VALUES ('suspect_first', ?), ('suspect_last",
        "UPDATE journal SET value = CAST(CAST(value AS INTEGER) - ? A",
        "UPDATE journal SET value = CAST(CAST(value AS INTEGER) + ? A",
        "UPDATE events SET text = NULL, state = NULL WHERE ref = ?",
        "INSERT INTO subscriptions (run, inbox, workflow, after, valu",
        "UPDATE subscriptions SET after = ?, value = ?, bound = ? WHE",
        "INSERT INTO outbox (run, type, text, at) SELECT run, type, t",
        "UPDATE tasks SET state = ?, beat = ?, digest = ?, activity =",
        "UPDATE tasks SET state = 'over', beat = ?, activity = NULL, ",
        "UPDATE tasks SET activity = NULL, input = NULL, beat = ? WHE",
      ]
    `);
  });

  test("do not compare or shorten payloads", () => {
    for (const text of texts) {
      const { text: whole } = encodingOf(text);
      expect(whole).not.toMatch(/(?:substr|length)\((?:input|output|error|reason|data|entered|text)\b/);
      expect(whole).not.toMatch(/\b(?:input|output|error|reason|entered) (?:=|LIKE|IN) (?!\?|NULL|excluded)/);
    }
  });
});
