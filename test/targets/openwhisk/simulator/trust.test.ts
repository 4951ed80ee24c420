import { expect, test } from "vitest";
import { compile } from "../../../../src/index.ts";
import type { Json, JsonObject } from "../../../../src/json.ts";
import { deploy, readDeployment } from "../../../../targets/openwhisk/simulator/deploy.ts";
import { putAction } from "../../../../targets/openwhisk/simulator/entities.ts";
import { onPlatform, type TestPlatform } from "./test-platform.ts";

const definition = `
id: order
name: Order
version: '1.0'
functions: [{ name: bill }, { name: ship }]
events: [{ name: Paid, type: order.paid, source: bank, correlationToken: order }]
states:
- name: Bill
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: bill, parameters: { order: $.order } } }]
  transition: { nextState: Await payment }
- name: Await payment
  type: event
  eventsActions:
  - { eventRefs: [Paid], actions: [{ functionRef: { refName: ship, parameters: { order: $.order } } }] }
  end: { kind: default }
`;
const key = "key of the deployment";
const parameters: JsonObject = { $store: "redis://store", $waybillKey: key };
const paid = { specversion: "1.0", id: "1", type: "order.paid", source: "bank", order: "o1", data: {} };

/** Deploys the program, with functions that record their calls. */
const deployed = (work: (site: TestPlatform, calls: readonly string[]) => Promise<void>, given = parameters) =>
  onPlatform(
    async (site) => {
      const { files } = await compile({ sources: [{ path: "order.yaml", text: definition }], target: "openwhisk" });
      await deploy(readDeployment(files), given, site.platform, site.scope);
      const calls: string[] = [];
      for (const name of ["bill", "ship"]) {
        const run = async ({ order, $waybill }: JsonObject): Promise<Json> => {
          calls.push(`${name} ${order} ${JSON.stringify(Object.keys($waybill as JsonObject))}`);
          return {};
        };
        putAction(site.platform.entities, `waybill/${name}`, { exec: { kind: "native", run } });
      }
      await work(site, calls);
    },
    { ticks: false, hasStore: true },
  );
const called = (name: string) => `${name} o1 ["key","attempt"]`;

test("a payment ships the order; functions receive a key", async () => {
  await deployed(async ({ platform, scope, environment, invoke }, calls) => {
    const { result } = await invoke("waybill/order", { order: "o1" });
    expect(result).toMatchObject({ status: "suspended" });
    platform.fire("/_/Paid", paid, scope);
    await environment.sleep(1);
    expect(calls).toEqual([called("bill"), called("ship")]);
  });
});

test.each(["$store", "$settings", "$waybillKey"])("the payload of a trigger cannot override %s", async (name) => {
  await deployed(async ({ platform, scope, environment, invoke }, calls) => {
    await invoke("waybill/order", { order: "o1" });
    platform.fire("/_/Paid", { ...paid, [name]: "redis://attacker" }, scope);
    await environment.sleep(1);
    expect(calls).toEqual([called("bill")]);
    await expect(invoke("waybill/order", { $waybillKey: "key of an attacker" })).rejects.toThrow("not allowed");
  });
});

test("a trigger cannot request an operation of the helper action, nor resume a run in the middle", async () => {
  await deployed(async ({ platform, scope, environment, invoke }, calls) => {
    const state = "Await payment/ship";
    const $waybill = { run: "r", began: 1, state, stack: [{ let: { data: { order: "o1" } } }], proof: "AAAA" };
    const forged = { operation: "call", action: "/_/waybill/ship", params: { order: "o1" } };
    for (const payload of [{ ...forged }, { ...forged, $waybill }, { ...paid, ...forged, $waybill }])
      platform.fire("/_/Paid", payload, scope);
    platform.fire("/_/Paid", { operation: "operate", key: "key of an attacker", resume: "r" }, scope);
    await environment.sleep(1);
    const received = [...platform.activations.values()].filter(({ action }) => action.name.endsWith("/rt"));
    expect(received.map(({ response }) => response.statusCode)).toEqual([1, 1, 1, 1]);
    for (const params of [{ $waybill }, { $resume: $waybill }]) {
      const { result } = await invoke("waybill/order", params);
      expect(result).toEqual({ error: expect.stringContaining("does not come from this deployment") });
    }
    expect(calls).toEqual([]);
  });
});

test("an operator needs the key to list suspended runs", async () => {
  await deployed(async ({ invoke }) => {
    await invoke("waybill/order", { order: "o1" });
    const { result: listed } = await invoke("waybill/rt", { operation: "operate", key });
    expect(listed).toMatchObject({ stalled: [], waiting: [{ flow: "/guest/waybill/order", waitsFor: "events" }] });
    const { result: refused } = await invoke("waybill/rt", { operation: "operate", key: "wrong" });
    expect(refused).toEqual({ error: expect.stringContaining("is not the key") });
  });
});

test.each(["$store", "$waybillKey"])("deploying without %s fails", async (name) => {
  const { [name]: _, ...others } = parameters;
  await expect(deployed(async () => undefined, others as JsonObject)).rejects.toThrow(`The input ${name} is required`);
});

test("a binding renames the member with the key, or switches it off", async () => {
  const settingsOf = async (binding: string) => {
    const text = `functions:\n  bill: { openwhisk: ${binding} }\n`;
    const config = { path: "waybill.config.yaml", text };
    const sources = [{ path: "order.yaml", text: definition }];
    const { files } = await compile({ sources, target: "openwhisk", config });
    const code = files.find(({ path }) => path === "actions/order.js")!.text;
    return /"keys":(\{.*?\})/.exec(code)?.[1];
  };
  expect(await settingsOf("{ key: idempotencyKey }")).toBe(
    '{"/_/waybill/bill":"idempotencyKey","/_/waybill/ship":"$waybill"}',
  );
  expect(await settingsOf("{ key: false, action: /_/pay/bill }")).toBe('{"/_/waybill/ship":"$waybill"}');
});
