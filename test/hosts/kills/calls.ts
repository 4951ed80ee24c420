import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The functions of the orders, which count their calls. */
export interface CountedCalls {
  readonly address: string;
  /** The keys that were called more than once. */
  repeated(): readonly string[];
  close(): void;
}

/** Serves the functions. Each returns its argument plus one; the first attempt at each bill fails. */
export async function serveCalls(): Promise<CountedCalls> {
  const counts = new Map<string, number>();
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    const { key, n } = JSON.parse(text) as { readonly key: string; readonly n: number };
    counts.set(key, (counts.get(key) ?? 0) + 1);
    response.statusCode = key.endsWith("Bill!attempt-1") ? 500 : 200;
    setTimeout(() => response.end(`${n + 1}`), 2);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    repeated: () => [...counts].flatMap(([key, count]) => (count > 1 ? [key] : [])),
    close: () => server.close(),
  };
}
