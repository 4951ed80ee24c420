import { createRequire } from "node:module";
import { type AddressInfo, createServer } from "node:net";
import type { SimulatedEnvironment } from "../../../../src/environment/environment.ts";
import type { Json, JsonObject } from "../../../../src/json.ts";
import { installAlarms } from "../../../../targets/openwhisk/simulator/alarms.ts";
import { createPlatform } from "../../../../targets/openwhisk/simulator/platform.ts";
import { createRedis } from "../../../../targets/openwhisk/simulator/redis.ts";
import { serve } from "./http.ts";

/** The client of the npm package `openwhisk`. */
export interface Client {
  readonly actions: {
    invoke(options: object): Promise<JsonObject>;
    get(options: object): Promise<JsonObject>;
    update(options: object): Promise<JsonObject>;
  };
  readonly activations: {
    get(id: string): Promise<{ readonly response: { readonly result: Json } }>;
    list(): Promise<readonly { readonly activationId: string; readonly name: string }[]>;
  };
  readonly rules: { create(options: object): Promise<JsonObject> };
  readonly triggers: { invoke(options: object): Promise<{ readonly activationId: string }> };
}

/** A platform that its clients and its actions reach over HTTP only. */
export interface PlatformServer {
  readonly url: string;
  readonly client: Client;
  /** The URL of its Redis server. */
  readonly store: string;
  close(): void;
}

const require = createRequire(import.meta.url);
const openwhisk = require("openwhisk") as (options: object) => Client;

/** A real-time environment without functions and events. */
const environment = {
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
} as unknown as SimulatedEnvironment;

/** Starts a platform with the alarms package. */
export async function servePlatform(): Promise<PlatformServer> {
  const scope = { environment, position: [] };
  const modules = { openwhisk: () => client, "node:net": require("node:net"), "node:tls": require("node:tls") };
  const platform = createPlatform({
    globalsOf: () => ({ modules, fetch: undefined }),
    fault: (error) => {
      throw error;
    },
  });
  installAlarms(platform, { ticks: true });
  const { url, close } = await serve(platform, scope);
  const client = openwhisk({ apihost: url, api_key: "key:word", namespace: "guest" });
  const redis = await serveRedis();
  return {
    ...{ url, client, store: redis.url },
    close() {
      close();
      redis.close();
    },
  };
}

/** Serves the simulated Redis on a local port. */
async function serveRedis(): Promise<{ readonly url: string; close(): void }> {
  const redis = createRedis(() => Date.now());
  const server = createServer((socket) => void socket.pipe(redis.connect()).pipe(socket));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}/0`, close: () => void server.close() };
}
