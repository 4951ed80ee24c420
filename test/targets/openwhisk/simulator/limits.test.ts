import { expect, test } from "vitest";
import { readScenarioFile } from "../../../../src/scenario/read.ts";
import { onTarget, runScenarios } from "../../../../src/scenario/run.ts";
import { targets } from "../../../../targets/index.ts";
import { type Client, platformOf } from "../../../../targets/openwhisk/runtime/actions/platform.ts";
import { PlatformError, putRule } from "../../../../targets/openwhisk/simulator/entities.ts";
import { defaultRates } from "../../../../targets/openwhisk/simulator/rates.ts";
import { languages } from "../../../languages.ts";
import { onPlatform } from "./test-platform.ts";

const slow = "function main() { return new Promise((done) => setTimeout(() => done({ ok: true }), 1000)) }";
const tooMany = (allowed: number) =>
  new PlatformError(429, `Too many concurrent requests in flight (count: ${allowed + 1}, allowed: ${allowed}).`);

test("a namespace rejects activations beyond its concurrency limit", async () => {
  await onPlatform(
    async ({ put, invoke, platform, scope }) => {
      put("f", slow);
      const two = [invoke("f"), invoke("f")];
      expect(() => platform.invoke("f", {}, scope)).toThrow(tooMany(2));
      await Promise.all(two);
      expect(await invoke("f")).toEqual({ statusCode: 0, result: { ok: true } });
    },
    { concurrent: 2 },
  );
});

test("a namespace rejects invocations and trigger fires beyond its rates until the minute is over", async () => {
  await onPlatform(
    async ({ put, platform, scope, environment }) => {
      put("f", "function main() { return {} }");
      platform.entities.triggers.set("/guest/t", { name: "/guest/t", parameters: {}, annotations: {} });
      const [invoke, fire] = [() => platform.invoke("f", {}, scope), () => platform.fire("t", {}, scope)];
      const rejected = (allowed: number) =>
        new PlatformError(429, `Too many requests in the last minute (count: ${allowed + 1}, allowed: ${allowed}).`);
      for (let i = 0; i < defaultRates.invocations; i++) expect(invoke).not.toThrow();
      for (let i = 0; i < defaultRates.fires; i++) expect(fire).not.toThrow();
      expect(invoke).toThrow(rejected(120));
      expect(fire).toThrow(rejected(60));
      await environment.sleep(60, new AbortController().signal, []);
      expect(invoke).not.toThrow();
      expect(fire).not.toThrow();
    },
    { rates: defaultRates },
  );
});

test("parameters, events and results have at most 1 MB, and what exceeds it is reported", async () => {
  await onPlatform(async ({ put, platform, scope, environment }) => {
    const limits: string[] = [];
    const recorder = { ...environment.recorder!, onLimit: (limit: string) => void limits.push(limit) };
    const recorded = { ...scope, environment: { ...environment, recorder } };
    put("f", "function main({ size = 0 }) { return { text: 'x'.repeat(size) } }");
    platform.entities.triggers.set("/guest/t", { name: "/guest/t", parameters: {}, annotations: {} });
    const text = (bytes: number) => ({ text: "x".repeat(bytes - JSON.stringify({ text: "" }).length) });
    const tooLarge = new PlatformError(413, "The request is larger than the 1048576 bytes that are allowed.");
    expect(() => platform.fire("t", text(1_048_576), recorded)).not.toThrow();
    expect(() => platform.fire("t", text(1_048_577), recorded)).toThrow(tooLarge);
    expect((await platform.invoke("f", text(1_048_576), recorded).ended).response.statusCode).toBe(0);
    expect(() => platform.invoke("f", text(1_048_577), recorded)).toThrow(tooLarge);
    const { response } = await platform.invoke("f", { size: 1_048_577 }, recorded).ended;
    expect(response).toMatchObject({ statusCode: 1, result: { error: expect.stringContaining("allowed length") } });
    expect(limits).toEqual([
      "The event of trigger `t` has more than 1,048,576 bytes, which OpenWhisk rejects.",
      "The parameters of action `f` have more than 1,048,576 bytes, which OpenWhisk rejects.",
      "The result of action `/guest/f` has more than 1,048,576 bytes, which OpenWhisk rejects.",
    ]);
  });
});

test("components are never rejected; actions of rules are, without an error of the trigger", async () => {
  await onPlatform(
    async ({ put, invoke, platform, scope }) => {
      put("f", slow);
      const code = "function main({ ok }) { return ok ? { params: { ok } } : { action: 'f' } }";
      put("c", code, { annotations: { conductor: true } });
      platform.entities.triggers.set("/guest/t", { name: "/guest/t", parameters: {}, annotations: {} });
      putRule(platform.entities, "r", { trigger: "t", action: "f" });
      const compositions = [invoke("c"), invoke("c")];
      const fired = platform.fire("t", {}, scope);
      expect([typeof fired.activationId, await fired.ended]).toEqual(["string", [undefined]]);
      expect(await Promise.all(compositions)).toMatchObject([{ result: { ok: true } }, { result: { ok: true } }]);
    },
    { concurrent: 2 },
  );
});

test("helpers retry requests that the platform rejects due to load, and no others", async () => {
  const waited: number[] = [];
  const answers: (object | Error)[] = [tooMany(1), tooMany(1), { activationId: "a" }, new PlatformError(404, "gone")];
  const invoke = async () => {
    const answer = answers.shift()!;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const client = { actions: { invoke } } as unknown as Client;
  const platform = platformOf(
    () => client,
    async (ms) => void waited.push(ms),
  );
  expect(await platform.start("f", {})).toBe("a");
  expect(waited).toEqual([500, 1000]);
  await expect(platform.start("f", {})).rejects.toThrow("gone");
});

const letters = `id: letters
name: Letters
version: '1.0'
functions: [{ name: mail, resource: mail }]
states:
- name: Mail
  type: foreach
  start: { kind: default }
  inputCollection: $.people
  inputParameter: $.person
  states:
  - name: Send
    type: operation
    start: { kind: default }
    actions: [{ functionRef: { refName: mail, parameters: { to: $.person } } }]
    end: { kind: default }
  end: { kind: default }
`;

test("iterations beyond the concurrency limit run later", async () => {
  const people = Array.from({ length: 150 }, (_, i) => i);
  const scenarios = { name: "all", input: { people }, functions: { mail: { returns: null, takes: "PT2S" } } };
  const expected = { status: "succeeded", output: { people }, calls: people.map((to) => ({ mail: { to } })) };
  const text = JSON.stringify({
    workflow: "letters.yaml",
    scenarios: [{ ...scenarios, expect: { ...expected, ordered: false } }],
  });
  const file = readScenarioFile({ path: "scenarios.yaml", text }, { languages, targets: ["openwhisk"] }, () => {})!;
  const runner = await onTarget(targets.find(({ name }) => name === "openwhisk")!);
  const sources = [{ path: "letters.yaml", text: letters }];
  const [result] = await runScenarios(file, { sources, read: () => undefined }, runner, languages);
  runner.executor?.close();
  expect(result!.differences).toEqual([
    { what: "elapsed", expected: 2, got: expect.any(Number), against: "reference" },
  ]);
  expect(result!.differences[0]!.got).toBeGreaterThan(4);
  expect(result!.diagnostics.map(({ code, message }) => `${code} ${message}`)).toContain(
    "WB6012 The namespace rejects more than 100 activations at once.",
  );
});
