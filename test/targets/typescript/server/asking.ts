// A server shared by the tests of a file.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";
import type { Engine, LogEntry } from "../../../../targets/typescript/runtime/engine.ts";
import { createHandler, type HandlerOptions } from "../../../../targets/typescript/runtime/server/handler.ts";
import { openEngine } from "../../../../targets/typescript/runtime/sqlite/engine.ts";
import { functions, greet, orders } from "../workflows.ts";

/** The log of all servers. */
export const log: LogEntry[] = [];
/** The bearer token of the shared server. */
export const token = "a-token-of-the-test";
/** Servers to close after the tests. */
export const servers: Server[] = [];
/** The address of the shared server. */
export let url: string;

beforeAll(async () => {
  url = await startServer({ token });
});
afterAll(() => {
  for (const server of servers) server.close();
});

/** Opens an engine on an in-memory store. */
export const openTestEngine = (): Engine =>
  openEngine({ store: ":memory:", workflows: [greet, orders], functions, send: () => undefined, log: () => undefined });

/** Starts a server and returns its address. */
export async function startServer(
  options: Partial<HandlerOptions>,
  engine: Engine = openTestEngine(),
): Promise<string> {
  const server = createServer(
    createHandler(engine, { log: (entry) => log.push(entry), workflows: ["greet", "order/new"], ...options }),
  );
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The body and headers of a request. */
export interface RequestContent {
  readonly body?: string | Uint8Array;
  readonly headers?: { readonly [name: string]: string };
}

/** Sends a request with the token to the shared server. */
export async function ask(method: string, path: string, { body, headers = {} }: RequestContent = {}) {
  const usual = {
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  const response = await fetch(url + path, { method, headers: { ...usual, ...headers }, body: body ?? null });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
}

/** Creates a CloudEvent. */
export const event = (id: string, type = "order.placed", more = {}) => ({
  specversion: "1.0",
  id,
  source: "/shop",
  type,
  ...more,
});
/** Headers of a structured-mode event. */
export const structured = { "content-type": "application/cloudevents+json" };
/** Headers of a batch of events. */
export const batched = { "content-type": "application/cloudevents-batch+json" };
