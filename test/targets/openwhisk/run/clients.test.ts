import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openwhiskRuntime } from "../../../../src/generated/openwhisk-runtime.js";
import type { Json, JsonObject } from "../../../../src/json.ts";
import type { World } from "../../../../src/world.ts";
import { clientOf } from "../../../../targets/openwhisk/run/client.ts";
import { createPlatform } from "../../../../targets/openwhisk/run/platform.ts";
import { serve } from "./http.ts";

// The clients that people deploy with, as they are, against the stand-in by HTTP on this machine.
const require = createRequire(import.meta.url);

/** The client of npm's `openwhisk`, as far as it is used here. */
interface Client {
  readonly actions: {
    invoke(options: object): Promise<JsonObject>;
    get(options: object): Promise<JsonObject>;
    update(options: object): Promise<JsonObject>;
  };
  readonly activations: { get(id: string): Promise<{ readonly response: { readonly result: Json } }> };
  readonly triggers: { invoke(options: object): Promise<{ readonly activationId: string }> };
}

/** What `@adobe/aio-lib-runtime` does with manifests; what else it has needs a TypeScript that can be asked. */
const manifests = require("@adobe/aio-lib-runtime/src/utils.js") as {
  setPaths(flags: { readonly manifest: string }): { readonly packages: object };
  processPackage(packages: object, ...others: readonly unknown[]): object;
  deployPackage(entities: object, client: object, log: () => void): Promise<void>;
};

/** The world as it is, without functions and events. */
const world = {
  now: () => Date.now(),
  random: () => Math.random(),
  id: () => crypto.randomUUID(),
  visit: () => undefined,
  sleep: (seconds: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, seconds * 1000);
      signal?.addEventListener("abort", () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }),
} as unknown as World;

const place = { world, position: [] };
const ended: string[] = [];
const platform = createPlatform({
  reach: (at, _action, within) => ({
    modules: { openwhisk: clientOf(within, at, async () => false) },
    fetch: undefined,
  }),
  recorded: ({ activationId, role }) => role === "composition" && ended.push(activationId),
  fault: (error) => {
    throw error;
  },
});
const folder = mkdtempSync(join(tmpdir(), "waybill-openwhisk-"));
let url = "";
let close = () => {};
let client: Client;

beforeAll(async () => {
  ({ url, close } = await serve(platform, place));
  client = (require("openwhisk") as (options: object) => Client)({
    apihost: url,
    api_key: "key:word",
    namespace: "guest",
  });
});
afterAll(() => {
  close();
  rmSync(folder, { recursive: true });
});

function written(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

test("the client of openwhisk deploys, invokes, and hears why an activation failed", async () => {
  const code = "function main({ n = 1, by }) { return n > 2 ? { error: 'too much', more: 1 } : { n: n * by } }";
  await client.actions.update({ name: "scale", action: code, kind: "nodejs:20", params: { by: 3 } });
  expect(await client.actions.get({ name: "scale" })).toMatchObject({
    namespace: "guest",
    parameters: [{ key: "by", value: 3 }],
  });
  expect(await client.actions.invoke({ name: "scale", params: { n: 2 }, blocking: true, result: true })).toEqual({
    n: 6,
  });
  const { activationId } = await client.actions.invoke({ name: "/_/scale" });
  expect((await client.activations.get(String(activationId))).response.result).toEqual({ n: 3 });
  const failure = await client.actions
    .invoke({ name: "scale", params: { n: 3 }, blocking: true })
    .catch((error) => error);
  expect(failure).toMatchObject({ statusCode: 502, error: { response: { result: { error: "too much" } } } });
  await expect(client.actions.invoke({ name: "nobody" })).rejects.toMatchObject({ statusCode: 404 });
});

test("a manifest is deployed by aio-lib-runtime, an event is fired, and the run's result is read", async () => {
  const composition = {
    Entry: "scale",
    Exit: "add",
    States: {
      scale: { Type: "Task", Action: "/_/tools/scale", Next: "add" },
      add: { Type: "Task", Function: "({ n }) => ({ sum: n + 1 })" },
    },
  };
  const settings = { helpers: "/_/waybill", missingAction: "catch" };
  const tail = `exports.main = createConductor(${JSON.stringify(composition)}, ${JSON.stringify(settings)});\n`;
  const flow = written("flow.js", `${openwhiskRuntime["conductor"]}\n${tail}`);
  const scale = written("scale.js", "function main({ n, by }) { return { n: n * by } }");
  const manifest = `
packages:
  tools:
    actions:
      scale: { function: ${scale}, runtime: "nodejs:20", inputs: { by: 10 } }
  flows:
    actions:
      order: { function: ${flow}, runtime: "nodejs:20", annotations: { conductor: true }, limits: { timeout: 30000 } }
    triggers:
      ordered: { inputs: {} }
    rules:
      on-ordered: { trigger: ordered, action: order }
`;
  const { packages } = manifests.setPaths({ manifest: written("manifest.yaml", manifest) });
  const entities = manifests.processPackage(packages, {}, {}, {}, false, { apihost: url });
  await manifests.deployPackage(entities, { ...client, initOptions: { apihost: url } }, () => undefined);
  await client.triggers.invoke({ name: "ordered", params: { n: 4 } });
  const id = await vi.waitUntil(() => ended.at(-1));
  expect((await client.activations.get(id)).response.result).toEqual({ sum: 41 });
});

test("a composition is deployed by the command of openwhisk-composer, and run by its conductor", async () => {
  const composition = {
    composition: { type: "sequence", components: [{ type: "action", name: "/_/add", path: "[0]" }], path: "" },
    ast: {},
    version: "0.12.0",
  };
  const path = written("composition.json", JSON.stringify(composition));
  const deploy = join(require.resolve("openwhisk-composer/package.json"), "../bin/deploy.js");
  const env = { ...process.env, __OW_API_HOST: url, __OW_API_KEY: "key:word" };
  const { stdout } = await promisify(execFile)(process.execPath, [deploy, "composed", path, "-w"], { env });
  expect(stdout).toContain("ok: created action /_/composed");
  await client.actions.update({
    name: "add",
    action: "function main({ n }) { return { n: n + 1 } }",
    kind: "nodejs:20",
  });
  expect(await client.actions.invoke({ name: "composed", params: { n: 4 }, blocking: true, result: true })).toEqual({
    n: 5,
  });
});
