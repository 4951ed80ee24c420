import { Duplex } from "node:stream";

/** A Redis server in this process, with the commands that emitted programs use. */
export interface SimulatedRedis {
  /** Opens a connection, like `connect` of `node:net`. */
  connect(): Duplex;
  text(key: string): string | undefined;
}

/** `ok` is a simple string, a string a bulk string. */
type RedisReply = string | number | null | { readonly ok: string } | { readonly error: string } | readonly RedisReply[];

interface StoredEntry {
  readonly text: string;
  readonly until: number;
  /** Changes with every write, for `WATCH`. */
  readonly version: number;
}

/** The watched keys and queued commands of a connection. */
interface ConnectionState {
  readonly watched: Map<string, number>;
  queued: (readonly string[])[] | undefined;
}

/** Creates an empty server. `now` returns milliseconds. */
export function createRedis(now: () => number): SimulatedRedis {
  const entries = new Map<string, StoredEntry>();
  let versions = 0;
  const keyspace: Keyspace = {
    get(key) {
      const entry = entries.get(key);
      if (entry && entry.until <= now()) entries.delete(key);
      return entries.get(key);
    },
    set(key, text, ttlMs) {
      versions += 1;
      entries.set(key, {
        text,
        until: ttlMs === undefined ? Number.POSITIVE_INFINITY : now() + ttlMs,
        version: versions,
      });
    },
    remove: (key) => entries.delete(key),
    keys: () => [...entries.keys()].filter((key) => keyspace.get(key) !== undefined),
  };
  return {
    connect: () => connection((command, connectionState) => handleCommand(command, connectionState, keyspace)),
    text: (key) => keyspace.get(key)?.text,
  };
}

interface Keyspace {
  get(key: string): StoredEntry | undefined;
  set(key: string, text: string, ttlMs?: number): void;
  remove(key: string): boolean;
  keys(): readonly string[];
}

function handleCommand(command: readonly string[], connectionState: ConnectionState, keyspace: Keyspace): RedisReply {
  const name = command[0]!.toUpperCase();
  const { queued, watched } = connectionState;
  switch (name) {
    case "MULTI":
      if (queued) return { error: "ERR MULTI calls can not be nested" };
      connectionState.queued = [];
      return { ok: "OK" };
    case "DISCARD":
    case "EXEC": {
      if (!queued) return { error: `ERR ${name} without MULTI` };
      const isCurrent = [...watched].every(([key, version]) => (keyspace.get(key)?.version ?? 0) === version);
      connectionState.queued = undefined;
      watched.clear();
      if (name === "DISCARD") return { ok: "OK" };
      return isCurrent ? queued.map((each) => perform(each, keyspace)) : null;
    }
    case "WATCH":
      if (queued) return { error: "ERR WATCH inside MULTI is not allowed" };
      for (const key of command.slice(1)) watched.set(key, keyspace.get(key)?.version ?? 0);
      return { ok: "OK" };
    case "UNWATCH":
      watched.clear();
      return { ok: "OK" };
    default:
      if (!queued) return perform(command, keyspace);
      queued.push(command);
      return { ok: "QUEUED" };
  }
}

function perform([name = "", ...words]: readonly string[], keyspace: Keyspace): RedisReply {
  const [key = "", value = ""] = words;
  switch (name.toUpperCase()) {
    case "PING":
      return { ok: "PONG" };
    case "AUTH":
    case "SELECT":
      return { ok: "OK" };
    case "GET":
      return keyspace.get(key)?.text ?? null;
    case "SET":
      return set(key, value, words.slice(2), keyspace);
    case "DEL":
      return words.filter((each) => keyspace.get(each) !== undefined && keyspace.remove(each)).length;
    case "INCR": {
      const next = Number(keyspace.get(key)?.text ?? 0) + 1;
      if (!Number.isSafeInteger(next)) return { error: "ERR value is not an integer or out of range" };
      keyspace.set(key, String(next));
      return next;
    }
    case "SCAN": {
      const pattern = words[words.findIndex((word) => word.toUpperCase() === "MATCH") + 1];
      const matches = globMatcher(words.length > 1 ? pattern! : "*");
      return ["0", keyspace.keys().filter((each) => matches(each))];
    }
    default:
      return { error: `ERR unknown command '${name}'` };
  }
}

function set(key: string, value: string, [option, time]: readonly string[], keyspace: Keyspace): RedisReply {
  if (option !== undefined && option.toUpperCase() !== "PX") return { error: "ERR syntax error" };
  const ttlMs = option === undefined ? undefined : Number(time);
  if (ttlMs !== undefined && !(ttlMs > 0)) return { error: "ERR invalid expire time in 'set' command" };
  keyspace.set(key, value, ttlMs);
  return { ok: "OK" };
}

/** Matches keys against a Redis pattern with `*` and `\` escapes. */
function globMatcher(pattern: string): (key: string) => boolean {
  const parts = [...pattern.matchAll(/\\(.)|(\*)|([^\\*])/gs)];
  const source = parts.map(([, quoted, any, plain]) => (any ? ".*" : (quoted ?? plain)!.replace(/\W/, "\\$&")));
  const whole = new RegExp(`^${source.join("")}$`, "s");
  return (key) => whole.test(key);
}

/** The default limits of Redis on a string, in bytes, and on the strings of a command. */
const [maxStringBytes, maxStrings] = [512 * 1024 * 1024, 1024 * 1024];

/** The error of a command whose beginning exceeds a limit. */
class ProtocolError extends Error {}

/** A connection, which replies to each complete command in order. After a protocol error the server closes it. */
function connection(reply: (command: readonly string[], connectionState: ConnectionState) => RedisReply): Duplex {
  const connectionState: ConnectionState = { watched: new Map(), queued: undefined };
  let received = Buffer.alloc(0);
  const socket = new Duplex({
    read() {},
    write(piece: Buffer, _encoding, done) {
      received = Buffer.concat([received, piece]);
      try {
        for (let command = parseCommand(received); command; command = parseCommand(received)) {
          received = received.subarray(command.end);
          socket.push(encodeReply(reply(command.words, connectionState)));
        }
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
        socket.push(encodeReply({ error: `ERR Protocol error: ${error.message}` }));
        socket.push(null);
      }
      done();
    },
    final(done) {
      socket.push(null);
      done();
    },
  });
  process.nextTick(() => socket.emit("connect"));
  const same = () => socket;
  return Object.assign(socket, { setNoDelay: same, setTimeout: same, setKeepAlive: same, ref: same, unref: same });
}

/** `*2\r\n$3\r\nGET\r\n$1\r\na\r\n` → GET, a. Undefined if incomplete. Throws a `ProtocolError`. */
function parseCommand(bytes: Buffer): { readonly words: readonly string[]; readonly end: number } | undefined {
  const line = (start: number): readonly [text: string, end: number] | undefined => {
    const end = bytes.indexOf("\r\n", start);
    return end < 0 ? undefined : [bytes.toString("utf8", start + 1, end), end + 2];
  };
  const head = line(0);
  if (!head) return undefined;
  if (Number(head[0]) > maxStrings) throw new ProtocolError("invalid multibulk length");
  const words: string[] = [];
  let at = head[1];
  while (words.length < Number(head[0])) {
    const length = line(at);
    if (!length) return undefined;
    if (Number(length[0]) > maxStringBytes) throw new ProtocolError("invalid bulk length");
    const end = length[1] + Number(length[0]);
    if (end + 2 > bytes.length) return undefined;
    words.push(bytes.toString("utf8", length[1], end));
    at = end + 2;
  }
  return { words, end: at };
}

function encodeReply(reply: RedisReply): string {
  if (reply === null) return "$-1\r\n";
  if (typeof reply === "number") return `:${reply}\r\n`;
  if (typeof reply === "string") return `$${Buffer.byteLength(reply)}\r\n${reply}\r\n`;
  if ("ok" in reply) return `+${reply.ok}\r\n`;
  if ("error" in reply) return `-${reply.error}\r\n`;
  return `*${reply.length}\r\n${reply.map(encodeReply).join("")}`;
}
