import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { compile } from "../../../../src/index.ts";
import type { JsonObject } from "../../../../src/json.ts";
import { type PlatformServer, servePlatform } from "./platform-server.ts";

// Emitted files are deployed with the official tools, and observed with the official client.
const require = createRequire(import.meta.url);

const parcel = `
id: parcel
name: A parcel
version: '1.0'
functions:
- { name: pack }
- { name: remind }
events:
- { name: Ordered, type: parcel.ordered, source: shop, correlationToken: order }
- { name: Paid, type: parcel.paid, source: bank, correlationToken: order }
- { name: Returned, type: parcel.returned, source: desk, correlationToken: order }
- { name: Closed, type: parcel.closed, source: parcels }
states:
- name: Order
  type: event
  start: { kind: default }
  eventsActions:
  - eventRefs: [Ordered]
    actions: [{ functionRef: { refName: pack, parameters: { order: $.order, items: $.items } } }]
  transition: { nextState: Payment }
- name: Payment
  type: event
  eventsActions:
  - eventRefs: [Paid]
    actions: []
  transition: { nextState: Return }
- name: Return
  type: event
  timeout: PT1S
  eventsActions:
  - eventRefs: [Returned]
    actions: [{ functionRef: { refName: remind } }]
  end: { kind: event, produceEvent: { eventRef: Closed, data: { order: $.order } } }
`;

const greeting = `
id: greeting
name: A greeting
version: '1.0'
functions:
- { name: greet }
- { name: praise }
states:
- name: Greet
  type: operation
  start: { kind: default }
  actions:
  - functionRef: { refName: greet, parameters: { name: $.name } }
  - functionRef: { refName: praise, parameters: { name: $.name } }
  end: { kind: default }
`;

const configuration = {
  path: "waybill.config.yaml",
  text: `
options: { timeout: proceed }
events:
  Ordered: { openwhisk: { trigger: ordered } }
  Paid: { openwhisk: { trigger: paid } }
  Returned: { openwhisk: { trigger: returned } }
  Closed: { openwhisk: { trigger: closed } }
`,
};

/** The actions that workflows call, and one that receives outcomes. */
const actions = {
  "waybill/pack": "function main({ order, items }) { return { parcel: order + '/' + items } }",
  "waybill/remind": "function main() { return { reminded: true } }",
  "waybill/greet": "function main({ name }) { return { greeting: 'Hello, ' + name } }",
  "waybill/praise":
    "function main({ name }) { return name === 'nobody' ? { error: 'no praise' } : { praise: 'Well done.' } }",
  receiver: "function main(params) { return params }",
};

/** The part of `@adobe/aio-lib-runtime` that deploys; its index requires TypeScript at run time. */
const Runtime = require("@adobe/aio-lib-runtime/src/RuntimeAPI.js") as new () => {
  init(options: object): Promise<object>;
};
const manifests = require("@adobe/aio-lib-runtime/src/utils.js") as {
  setPaths(flags: { readonly manifest: string }): { readonly packages: object };
  processPackage(packages: object, ...others: readonly unknown[]): object;
  deployPackage(entities: object, client: object, log: () => void): Promise<void>;
};

const before = process.cwd();
const folder = mkdtempSync(join(tmpdir(), "waybill-openwhisk-"));
let server: PlatformServer;

beforeAll(async () => {
  process.chdir(folder);
  server = await servePlatform();
  const { files, diagnostics } = await compile({
    sources: [
      { path: "parcel.yaml", text: parcel },
      { path: "greeting.yaml", text: greeting },
    ],
    target: "openwhisk",
    config: configuration,
  });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  vi.stubEnv("WAYBILL_STORE", server.store);
  vi.stubEnv("WAYBILL_KEY", "key of the deployment");
  const { packages } = manifests.setPaths({ manifest: "manifest.yaml" });
  const entities = manifests.processPackage(packages, {}, {}, {}, false, { apihost: server.url });
  const options = { apihost: server.url, api_key: "key:word", namespace: "guest" };
  await manifests.deployPackage(entities, await new Runtime().init(options), () => undefined);
  for (const [name, action] of Object.entries(actions))
    await server.client.actions.update({ name, action, kind: "nodejs:20" });
});
afterAll(() => {
  vi.unstubAllEnvs();
  process.chdir(before);
  server.close();
  rmSync(folder, { recursive: true });
});

/** Fires a trigger with an event of the parcel 7. */
const fire = (name: string, type: string, source: string, data: JsonObject = {}) =>
  server.client.triggers.invoke({
    name,
    params: { specversion: "1.0", id: `${type} 7`, type, source, order: "7", data },
  });

/** The first result of an action that satisfies a predicate, once it exists. */
const firstResult = (action: string, matches: (answer: JsonObject) => boolean): Promise<JsonObject> =>
  vi.waitUntil(
    async () => {
      const known = (await server.client.activations.list()).filter(({ name }) => name === action);
      const answers = await Promise.all(known.map(({ activationId }) => server.client.activations.get(activationId)));
      return answers.map(({ response }) => response.result as JsonObject).find(matches);
    },
    { timeout: 20_000, interval: 100 },
  );

test("a run that is started by events, waits and delays can be driven by the official client", async () => {
  await server.client.rules.create({ name: "receive-end", trigger: "/_/parcel-ended", action: "/_/receiver" });
  await server.client.rules.create({ name: "receive-closed", trigger: "/_/closed", action: "/_/receiver" });
  await fire("ordered", "parcel.ordered", "shop", { order: "7", items: 2 });
  const { run } = await firstResult("parcel", ({ status }) => status === "suspended");
  const waiting = await server.client.actions.invoke({
    ...{ name: "waybill/rt", params: { operation: "operate", key: "key of the deployment" } },
    ...{ blocking: true, result: true },
  });
  expect(waiting).toMatchObject({ waiting: [{ run }] });
  await fire("paid", "parcel.paid", "bank", { paid: 20 });
  const closed = await firstResult("receiver", ({ type }) => type === "parcel.closed");
  expect(closed["data"]).toEqual({ order: "7" });
  const ended = await firstResult("receiver", ({ status }) => status !== undefined);
  expect(ended).toMatchObject({ run, status: "succeeded", output: { parcel: "7/2", paid: 20 } });
});

test("the official client deploys, invokes, and receives errors of activations", async () => {
  const { actions, activations } = server.client;
  const action = "function main({ n = 1, by }) { return n > 2 ? { error: 'too much', more: 1 } : { n: n * by } }";
  await actions.update({ name: "scale", action, kind: "nodejs:20", params: { by: 3 } });
  expect(await actions.get({ name: "scale" })).toMatchObject({
    namespace: "guest",
    parameters: [{ key: "by", value: 3 }],
  });
  expect(await actions.invoke({ name: "scale", params: { n: 2 }, blocking: true, result: true })).toEqual({ n: 6 });
  const { activationId } = await actions.invoke({ name: "/_/scale" });
  expect((await activations.get(String(activationId))).response.result).toEqual({ n: 3 });
  const failure = await actions.invoke({ name: "scale", params: { n: 3 }, blocking: true }).catch((error) => error);
  expect(failure).toMatchObject({ statusCode: 502, error: { response: { result: { error: "too much" } } } });
  await expect(actions.invoke({ name: "nobody" })).rejects.toMatchObject({ statusCode: 404 });
});

test("a run that does not suspend returns its result to its caller", async () => {
  await expectGreetings("waybill/greeting");
});

test("openwhisk-composer deploys its file, and its conductor behaves the same", async () => {
  const deploy = join(require.resolve("openwhisk-composer/package.json"), "../bin/deploy.js");
  const env = { ...process.env, __OW_API_HOST: server.url, __OW_API_KEY: "key:word" };
  const args = [deploy, "composed", "greeting.composer.json", "-w"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  expect(stdout).toContain("ok: created action /_/composed");
  await expectGreetings("composed");
});

/** Checks the results of the greeting workflow. */
async function expectGreetings(name: string): Promise<void> {
  const invoke = (whom: string): Promise<JsonObject> =>
    server.client.actions.invoke({ name, params: { name: whom }, blocking: true, result: true });
  expect(await invoke("Ada")).toEqual({ name: "Ada", greeting: "Hello, Ada", praise: "Well done." });
  const result = { error: { name: "Error", message: "no praise", origin: "function" } };
  await expect(invoke("nobody")).rejects.toMatchObject({ statusCode: 502, error: { response: { result } } });
}
