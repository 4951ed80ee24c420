import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** The environment of the killed program: responds to calls, receives emitted events, and counts both. */
export interface CrashEnvironment {
  readonly calls: string;
  readonly sink: string;
  /** The number of calls by key and attempt. */
  readonly called: ReadonlyMap<string, number>;
  /** The number of events by id. */
  readonly sent: ReadonlyMap<string, number>;
  close(): void;
}

/** Opens an environment whose sink rejects every third request. */
export async function openEnvironment(): Promise<CrashEnvironment> {
  const [called, sent] = [new Map<string, number>(), new Map<string, number>()];
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  let requests = 0;
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as { readonly call: string; readonly n: number; readonly id: string };
    if (request.url === "/sink") {
      const isAway = ++requests % 3 === 0;
      if (!isAway) count(sent, body.id);
      response.writeHead(isAway ? 503 : 202).end();
    } else {
      count(called, body.call);
      setTimeout(() => response.end(`${body.n + 1}`), 2);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { calls: `${base}/calls`, sink: `${base}/sink`, called, sent, close: () => server.close() };
}
