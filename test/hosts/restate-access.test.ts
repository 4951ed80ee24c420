import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { addressOf } from "../../targets/typescript/runtime/hosts/restate/address.ts";
import { signedRequest } from "../../targets/typescript/runtime/hosts/restate/gate.ts";
import { enginesOnRestate } from "./restate.ts";
import { freePort, type RestateServer, skipReason, startRestate } from "./restate-server.ts";
import { until, workflowOf } from "./samples.ts";

// Runs are started and functions called on Restate only with a key.

const why = skipReason();
const json = { "content-type": "application/json" };

describe.skipIf(why !== undefined)(`access on Restate${why ? ` (skipped: ${why})` : ""}`, { timeout: 60_000 }, () => {
  const engines = enginesOnRestate();
  const workflow = workflowOf((flow, input) => flow.step("S", () => calls.push(input)));
  const calls: unknown[] = [];

  const post = (url: string, body: unknown) =>
    fetch(url, { method: "POST", headers: json, body: JSON.stringify(body) });
  const ingressOf = (store: string) => new URL(store).searchParams.get("ingress")!;
  const nameOf = (store: string) => new URL(store).searchParams.get("name")!;
  const begin = (id: string) => ({ id, workflow: "W", version: workflow.version, input: "evil", at: Date.now() });

  test("the services of a program are private", async () => {
    const store = await engines.server.address();
    const engine = await engines.open(store, { workflows: [workflow] });
    expect((await engine.start("W", "own", { id: "own" })).id).toBe("own");
    expect((await engine.ended("own")).status).toBe("succeeded");
    const [ingress, name] = [ingressOf(store), nameOf(store)];
    const what = [{ id: "evil", workflow: "W", version: workflow.version, input: "evil" }];
    const answers = await Promise.all([
      post(`${ingress}/${name}-book/all/startAll`, { at: Date.now(), what }),
      post(`${ingress}/${name}-book/all/startAll/send`, { at: Date.now(), what }),
      post(`${ingress}/${name}-run/evil2/run`, begin("evil2")),
      post(`${ingress}/${name}-run/evil2/run/send`, begin("evil2")),
      post(`${ingress}/${name}-outbox/own/send`, { id: "e" }),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status < 400)).toEqual([]);
    for (const how of ["output", "attach"]) {
      const url = `${ingress}/restate/workflow/${name}-run/own/${how}`;
      // The handler returns shortly after the run has ended.
      await until(async () => (await fetch(url)).ok);
      expect(await (await fetch(url)).text()).toBe("");
    }
    expect(await engine.show("evil")).toBeUndefined();
    expect(calls).not.toContain("evil");
  });

  test("the gate accepts only requests that are signed with the key of the program", async () => {
    const store = await engines.server.address();
    const engine = await engines.open(store, { workflows: [workflow] });
    const [ingress, name] = [ingressOf(store), nameOf(store)];
    const target = { service: `${name}-book`, key: "all", method: "startAll" };
    const what = [{ id: "evil", workflow: "W", version: workflow.version, input: "evil" }];
    const request = { target, parameter: { at: Date.now(), what }, isSend: false };
    const url = `${ingress}/${name}-gate/all/tell`;
    for (const forged of [signedRequest(request, ""), signedRequest(request, "guess"), { ...request }, {}, null])
      expect((await post(url, forged)).status).toBeGreaterThanOrEqual(400);
    expect(await engine.show("evil")).toBeUndefined();
  });

  test("another process reads the key, also after it has changed", async () => {
    const store = await engines.server.address();
    await engines.open(store, { workflows: [workflow] });
    const paused = await engines.open(store, { workflows: [workflow], isPaused: true });
    await paused.start("W", 1, { id: "a" });
    const value = [...new TextEncoder().encode('"another"')];
    const body = { object_key: "all", new_state: { secret: value } };
    expect((await post(`${new URL(store).origin}/services/${nameOf(store)}-gate/state`, body)).status).toBe(202);
    await until(async () => (await paused.start("W", 2, { id: "b" }).catch(() => undefined)) !== undefined);
    expect((await paused.ended("b")).status).toBe("succeeded");
  });

  test("only servers with a known identity can call the program", async () => {
    const { privateKey, publicKey } = identity();
    const own = await startRestate({ identity: privateKey });
    const other = await startRestate();
    try {
      const store = await withIdentity(own, publicKey);
      const engine = await engines.open(store, { workflows: [workflow] });
      await engine.start("W", "own", { id: "own" });
      expect((await engine.ended("own")).status).toBe("succeeded");
      const uri = new URL(store).searchParams.get("service")!;
      const admin = new URL(await other.address()).origin;
      expect((await post(`${admin}/deployments`, { uri })).status).toBeGreaterThanOrEqual(400);
      const direct = await fetch(`${uri}/invoke/${nameOf(store)}-run/run`, { method: "POST" }).catch(() => undefined);
      expect(direct?.status ?? 401).toBeGreaterThanOrEqual(400);
    } finally {
      await Promise.all([own.stop(), other.stop()]);
    }
  });

  test("a program listens only at the address of its service", async () => {
    const store = new URL(await engines.server.address());
    store.searchParams.set("service", `http://127.0.0.2:${await freePort()}`);
    await engines.open(`${store}`, { workflows: [workflow] });
    const { port } = new URL(store.searchParams.get("service")!);
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
    expect((await fetch(`http://127.0.0.2:${port}/health`).catch(() => undefined))?.status).not.toBe(404);
  });
});

/** A key pair of a Restate server, as PEM and in its own form. */
function identity() {
  const pair = generateKeyPairSync("ed25519");
  const der = pair.publicKey.export({ type: "spki", format: "der" });
  return {
    privateKey: pair.privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    publicKey: `publickeyv1_${base58(der.subarray(-32))}`,
  };
}

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

function base58(bytes: Uint8Array): string {
  let number = BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
  let text = "";
  for (; number > 0n; number /= 58n) text = alphabet[Number(number % 58n)] + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return "1".repeat(zeros < 0 ? bytes.length : zeros) + text;
}

async function withIdentity(server: RestateServer, publicKey: string): Promise<string> {
  const url = new URL(await server.address());
  url.searchParams.set("identity", publicKey);
  return `${url}`;
}

describe("the address of a store", () => {
  test("has credentials for Restate Cloud in the environment", () => {
    const store =
      "https://e1.env.us.restate.cloud:9070?service=https://orders.example&port=9080&host=0.0.0.0&identity=publickeyv1_2G8dCQhArfvGpzPw5Vx2ALciR4xCLHfS5YaT93XjNxX9";
    expect(addressOf(store, { WAYBILL_RESTATE_TOKEN: "key_1" })).toEqual({
      admin: "https://e1.env.us.restate.cloud:9070",
      ingress: "https://e1.env.us.restate.cloud:8080",
      service: "https://orders.example",
      port: 9080,
      host: "0.0.0.0",
      identity: ["publickeyv1_2G8dCQhArfvGpzPw5Vx2ALciR4xCLHfS5YaT93XjNxX9"],
      authorization: { admin: "Bearer key_1", ingress: "Bearer key_1" },
      name: "waybill",
    });
  });

  test("may contain credentials, which are not part of the other addresses", () => {
    const address = addressOf("http://me:p%40ss@localhost:9070", {});
    const basic = `Basic ${Buffer.from("me:p@ss").toString("base64")}`;
    expect(address).toMatchObject({
      admin: "http://localhost:9070",
      ingress: "http://localhost:8080",
      authorization: { admin: basic, ingress: basic },
    });
  });

  test.each<[string, { [name: string]: string }, RegExp]>([
    ["http://localhost:9070?service=http://program:9080", {}, /Other machines can reach the program at program/],
    ["http://localhost:9070?host=0.0.0.0", {}, /Other machines/],
    ["http://localhost:9070?identity=secret", {}, /list of public keys/],
    ["http://me:pass@localhost:9070", { WAYBILL_RESTATE_TOKEN: "t" }, /must not be set/],
    ["http://localhost:9070?user=me", {}, /parameter "user"/],
  ])("%s is rejected", (store, environment, message) => expect(() => addressOf(store, environment)).toThrow(message));

  test.each([
    "http://localhost:9070",
    "http://localhost:9070?service=http://127.0.0.1:9080",
    "http://h:1?service=http://[::1]:9",
  ])("%s needs no identity", (store) => expect(addressOf(store, {}).identity).toBeUndefined());

  test("needs no identity if the environment says so", () => {
    const store = "http://restate:9070?service=http://program:9080";
    expect(addressOf(store, { WAYBILL_RESTATE_IDENTITY: "none" }).identity).toBeUndefined();
    expect(addressOf(store, { WAYBILL_RESTATE_IDENTITY: "publickeyv1_abc publickeyv1_def" }).identity).toHaveLength(2);
  });
});
