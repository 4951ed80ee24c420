// A server for the tests of a file, and how it is asked.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";
import type { Engine, LogEntry } from "../../../../targets/typescript/runtime/engine.ts";
import { createHandler, type HandlerOptions } from "../../../../targets/typescript/runtime/server/handler.ts";
import { openEngine } from "../../../../targets/typescript/runtime/sqlite.ts";
import { functions, greet, orders } from "../workflows.ts";

export const log: LogEntry[] = [];
export const token = "a-token-of-the-test";
export const servers: Server[] = [];
export let url: string;

beforeAll(async () => {
  url = await listening({ token });
});
afterAll(() => {
  for (const server of servers) server.close();
});

export const engineOf = (): Engine =>
  openEngine({ store: ":memory:", workflows: [greet, orders], functions, send: () => undefined, log: () => undefined });

export async function listening(options: Partial<HandlerOptions>, engine: Engine = engineOf()): Promise<string> {
  const server = createServer(
    createHandler(engine, { log: (entry) => log.push(entry), workflows: ["greet", "order/new"], ...options }),
  );
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export interface Asked {
  readonly body?: string | Uint8Array;
  readonly headers?: { readonly [name: string]: string };
}

export async function ask(method: string, path: string, { body, headers = {} }: Asked = {}) {
  const usual = {
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  const response = await fetch(url + path, { method, headers: { ...usual, ...headers }, body: body ?? null });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
}

export const event = (id: string, type = "order.placed", more = {}) => ({
  specversion: "1.0",
  id,
  source: "/shop",
  type,
  ...more,
});
export const structured = { "content-type": "application/cloudevents+json" };
export const batched = { "content-type": "application/cloudevents-batch+json" };
