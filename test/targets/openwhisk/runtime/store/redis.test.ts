import { createServer, type Server, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRedisStore } from "../../../../../targets/openwhisk/runtime/store/redis.ts";
import { decodeReply, encodeCommand } from "../../../../../targets/openwhisk/runtime/store/resp.ts";
import { StoreFailure } from "../../../../../targets/openwhisk/runtime/store/store.ts";
import { lawsOfStore } from "./laws.ts";
import { hasRedis, type RedisServer, startRedis } from "./redis-server.ts";

describe.runIf(hasRedis())("a store on a Redis server", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());
  lawsOfStore(
    () => createRedisStore({ url: server.url }),
    (ms) => setTimeout(ms),
  );

  test("programs that share a server do not see each other's documents", async () => {
    const [one, two] = ["one:", "two:"].map((prefix) => createRedisStore({ url: server.url, prefix }));
    await one!.put("a", 1, undefined);
    expect(await two!.get("a")).toBeUndefined();
    expect(await two!.keys("")).toEqual([]);
    await Promise.all([one!.close(), two!.close()]);
  });

  test("a wrong password is a failure that says so", async () => {
    const url = new URL(server.url);
    url.password = "guess";
    const store = createRedisStore({ url: url.href });
    await expect(store.get("a")).rejects.toThrow(/rejects a command: WRONGPASS/);
    await store.close();
  });

  test("a store goes on over a new connection when one has failed", async () => {
    const store = createRedisStore({ url: server.url });
    await store.put("kept", 1, undefined);
    await store.close();
    expect((await store.get("kept"))?.value).toBe(1);
    await store.close();
  });
});

describe("a server that does not behave", () => {
  let server: Server;
  let answer: (socket: Socket) => void;
  beforeAll(async () => {
    server = createServer((socket) => socket.on("error", () => undefined).on("data", () => answer(socket)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => server.close());
  const open = () => {
    const address = server.address();
    const port = typeof address === "object" ? address!.port : 0;
    return createRedisStore({ url: `redis://127.0.0.1:${port}`, timeoutMs: 100 });
  };

  test.each([
    ["hangs up", (socket: Socket) => socket.destroy(), /closed the connection/],
    ["says nothing", () => undefined, /did not respond within 100 ms/],
    ["speaks another language", (socket: Socket) => socket.write("HTTP/1.1 400\r\n"), /sends an invalid reply/],
    ["refuses", (socket: Socket) => socket.write("-LOADING wait\r\n"), /rejects a command: LOADING wait/],
  ])("that %s is a failure of the store", async (_, behaviour, message) => {
    answer = behaviour;
    const store = open();
    const failure = await store.get("a").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreFailure);
    expect(String(failure)).toMatch(message);
    await store.close();
  });

  test("the replies of a server that asks for no password are those of the commands", async () => {
    answer = (socket) => socket.write("$3\r\n1 5\r\n");
    const store = open();
    expect(await store.get("a")).toEqual({ revision: "1", value: 5 });
    await store.close();
  });

  test("a transaction does not go on over another connection than the one that it began on", async () => {
    const heard: string[] = [];
    server.removeAllListeners("connection");
    server.on("connection", (socket: Socket) => {
      const index = heard.push("") - 1;
      socket
        .on("error", () => undefined)
        .on("data", (bytes) => {
          heard[index] += bytes.toString();
          if (heard[index]?.includes("INCR")) socket.end("+OK\r\n$-1\r\n:1\r\n");
          else socket.end("$-1\r\n");
        });
    });
    const store = open();
    await expect(store.put("a", 1, undefined)).rejects.toBeInstanceOf(StoreFailure);
    await store.get("c");
    expect(heard.length).toBeGreaterThan(1);
    for (const commands of heard) expect(commands).not.toMatch(/^(?:(?!WATCH)[\s\S])*MULTI/);
    await store.close();
  });
});

describe("the protocol of Redis", () => {
  test("commands are lists of texts with their lengths in bytes", () => {
    expect(encodeCommand(["SET", "ü", ""])).toBe("*3\r\n$3\r\nSET\r\n$2\r\nü\r\n$0\r\n\r\n");
  });

  test("replies are read when they have come whole, and not before", () => {
    const bytes = Buffer.from("*4\r\n$4\r\nü\r\n\r\n:-7\r\n$-1\r\n*1\r\n-ERR no\r\n+more");
    const end = bytes.indexOf("+more");
    expect(decodeReply(bytes, 0)).toEqual({ reply: ["ü\r\n", -7, null, [{ rejected: "ERR no" }]], end });
    for (let length = 0; length < end; length++) expect(decodeReply(bytes.subarray(0, length), 0)).toBeUndefined();
  });
});
