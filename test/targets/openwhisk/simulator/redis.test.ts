import { expect, test } from "vitest";
import { createRedis } from "../../../../targets/openwhisk/simulator/redis.ts";

/** Sends commands and returns the replies. */
function talk(connection: ReturnType<ReturnType<typeof createRedis>["connect"]>): (text: string) => Promise<string> {
  let replies = "";
  connection.on("data", (piece: Buffer) => {
    replies += piece.toString();
  });
  return async (text) => {
    replies = "";
    for (const line of text.split("; ")) {
      const words = line.split(" ");
      const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
      connection.write(`*${words.length}\r\n${parts.join("")}`);
    }
    await new Promise((done) => setImmediate(done));
    return replies.replaceAll("\r\n", " ").trim();
  };
}

test.each<[string, string]>([
  ["PING", "+PONG"],
  ["AUTH secret; SELECT 2", "+OK +OK"],
  ["GET a", "$-1"],
  ["SET a é; GET a", "+OK $2 é"],
  ["SET a 1; DEL a b; GET a", "+OK :1 $-1"],
  ["INCR n; INCR n; SET n x; INCR n", ":1 :2 +OK -ERR value is not an integer or out of range"],
  ["SET a 1; MULTI; SET a 2; GET a; EXEC", "+OK +OK +QUEUED +QUEUED *2 +OK $1 2"],
  ["WATCH a; SET a 1; MULTI; SET a 2; EXEC; GET a", "+OK +OK +OK +QUEUED $-1 $1 1"],
  ["WATCH a; SET a 1; UNWATCH; MULTI; SET a 2; EXEC; GET a", "+OK +OK +OK +OK +QUEUED *1 +OK $1 2"],
  ["SET x:1 a; SET x:2 b; SET y c; SCAN 0 MATCH x:* COUNT 10", "+OK +OK +OK *2 $1 0 *2 $3 x:1 $3 x:2"],
  ["SET a* 1; SET ab 1; SCAN 0 MATCH a\\*", "+OK +OK *2 $1 0 *1 $2 a*"],
  ["EXEC", "-ERR EXEC without MULTI"],
  ["FLUSHALL", "-ERR unknown command 'FLUSHALL'"],
  ["SET a 1 EX 5", "-ERR syntax error"],
])("%s", async (commands, replies) => {
  expect(await talk(createRedis(() => 0).connect())(commands)).toBe(replies);
});

test("a write of another connection aborts a transaction", async () => {
  const redis = createRedis(() => 0);
  const [one, other] = [talk(redis.connect()), talk(redis.connect())];
  await one("WATCH a");
  await other("SET a 1");
  expect(await one("MULTI; SET a 2; EXEC")).toBe("+OK +QUEUED $-1");
  expect(redis.text("a")).toBe("1");
});

test("an expired key is gone, which aborts a transaction that has watched it", async () => {
  let now = 0;
  const send = talk(createRedis(() => now).connect());
  expect(await send("SET a 1 PX 10; WATCH a; GET a")).toBe("+OK +OK $1 1");
  now = 10;
  expect(await send("GET a; MULTI; SET a 2; EXEC")).toBe("$-1 +OK +QUEUED $-1");
});

test.each([
  ["*2\r\n$3\r\nGET\r\n$536870912\r\n", ""],
  ["*2\r\n$3\r\nGET\r\n$536870913\r\n", "-ERR Protocol error: invalid bulk length"],
  ["*1048576\r\n", ""],
  ["*1048577\r\n", "-ERR Protocol error: invalid multibulk length"],
])("a command that begins with %j is rejected if it exceeds a limit", async (command, reply) => {
  const connection = createRedis(() => 0).connect();
  let [replies, isClosed] = ["", false];
  connection.on("data", (piece: Buffer) => {
    replies += piece.toString();
  });
  connection.on("end", () => {
    isClosed = true;
  });
  connection.write(command);
  await new Promise((done) => setImmediate(done));
  expect([replies.trim(), isClosed]).toEqual([reply, reply !== ""]);
});
