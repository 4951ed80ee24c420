import { Duplex } from "node:stream";

/** A Redis server in this process, as far as the stores of emitted programs use one. */
export interface Redis {
  /** Opens a connection, as `connect` of `node:net` does. */
  connect(): Duplex;
  /** The text under a key. */
  text(key: string): string | undefined;
}

/** A reply, which is to be written as the protocol has it: `ok` and `refused` are lines, a text is one of any bytes. */
type Reply = string | number | null | { readonly ok: string } | { readonly refused: string } | readonly Reply[];

/** What is kept under a key, until an instant. */
interface Entry {
  readonly text: string;
  readonly until: number;
  /** Tells one entry from another under the same key. */
  readonly version: number;
}

/** A connection's transaction: what it has seen, and the commands that wait for their execution. */
interface Session {
  readonly watched: Map<string, number>;
  queued: (readonly string[])[] | undefined;
}

/** A server with nothing in it, by a clock in milliseconds. */
export function createRedis(now: () => number): Redis {
  const entries = new Map<string, Entry>();
  let versions = 0;
  const data: Data = {
    get(key) {
      const entry = entries.get(key);
      if (entry && entry.until <= now()) entries.delete(key);
      return entries.get(key);
    },
    set(key, text, lasting) {
      versions += 1;
      entries.set(key, {
        text,
        until: lasting === undefined ? Number.POSITIVE_INFINITY : now() + lasting,
        version: versions,
      });
    },
    remove: (key) => entries.delete(key),
    keys: () => [...entries.keys()].filter((key) => data.get(key) !== undefined),
  };
  return {
    connect: () => connection((command, session) => replyTo(command, session, data)),
    text: (key) => data.get(key)?.text,
  };
}

interface Data {
  get(key: string): Entry | undefined;
  set(key: string, text: string, lasting?: number): void;
  remove(key: string): boolean;
  keys(): readonly string[];
}

/** Does what a connection asks for, or keeps it for its transaction. */
function replyTo(command: readonly string[], session: Session, data: Data): Reply {
  const name = command[0]!.toUpperCase();
  const { queued, watched } = session;
  switch (name) {
    case "MULTI":
      if (queued) return { refused: "ERR MULTI calls can not be nested" };
      session.queued = [];
      return { ok: "OK" };
    case "DISCARD":
    case "EXEC": {
      if (!queued) return { refused: `ERR ${name} without MULTI` };
      const isCurrent = [...watched].every(([key, version]) => (data.get(key)?.version ?? 0) === version);
      session.queued = undefined;
      watched.clear();
      if (name === "DISCARD") return { ok: "OK" };
      return isCurrent ? queued.map((each) => perform(each, data)) : null;
    }
    case "WATCH":
      if (queued) return { refused: "ERR WATCH inside MULTI is not allowed" };
      for (const key of command.slice(1)) watched.set(key, data.get(key)?.version ?? 0);
      return { ok: "OK" };
    case "UNWATCH":
      watched.clear();
      return { ok: "OK" };
    default:
      if (!queued) return perform(command, data);
      queued.push(command);
      return { ok: "QUEUED" };
  }
}

function perform([name = "", ...given]: readonly string[], data: Data): Reply {
  const [key = "", value = ""] = given;
  switch (name.toUpperCase()) {
    case "PING":
      return { ok: "PONG" };
    case "AUTH":
    case "SELECT":
      return { ok: "OK" };
    case "GET":
      return data.get(key)?.text ?? null;
    case "SET":
      return set(key, value, given.slice(2), data);
    case "DEL":
      return given.filter((each) => data.get(each) !== undefined && data.remove(each)).length;
    case "INCR": {
      const next = Number(data.get(key)?.text ?? 0) + 1;
      if (!Number.isSafeInteger(next)) return { refused: "ERR value is not an integer or out of range" };
      data.set(key, String(next));
      return next;
    }
    case "SCAN": {
      const pattern = given[given.findIndex((word) => word.toUpperCase() === "MATCH") + 1];
      const isMeant = matching(given.length > 1 ? pattern! : "*");
      return ["0", data.keys().filter((each) => isMeant(each))];
    }
    default:
      return { refused: `ERR unknown command '${name}'` };
  }
}

/** `SET key value`, with `PX` and milliseconds where it does not last. */
function set(key: string, value: string, [option, time]: readonly string[], data: Data): Reply {
  if (option !== undefined && option.toUpperCase() !== "PX") return { refused: "ERR syntax error" };
  const lasting = option === undefined ? undefined : Number(time);
  if (lasting !== undefined && !(lasting > 0)) return { refused: "ERR invalid expire time in 'set' command" };
  data.set(key, value, lasting);
  return { ok: "OK" };
}

/** What a pattern of Redis matches: `*` stands for anything, and a letter behind `\` for itself. */
function matching(pattern: string): (key: string) => boolean {
  const parts = [...pattern.matchAll(/\\(.)|(\*)|([^\\*])/gs)];
  const source = parts.map(([, quoted, any, plain]) => (any ? ".*" : (quoted ?? plain)!.replace(/\W/, "\\$&")));
  const whole = new RegExp(`^${source.join("")}$`, "s");
  return (key) => whole.test(key);
}

/** A connection: commands are answered in the order in which they come, each when it is whole. */
function connection(reply: (command: readonly string[], session: Session) => Reply): Duplex {
  const session: Session = { watched: new Map(), queued: undefined };
  let received = Buffer.alloc(0);
  const socket = new Duplex({
    read() {},
    write(piece: Buffer, _encoding, done) {
      received = Buffer.concat([received, piece]);
      for (let command = takeCommand(received); command; command = takeCommand(received)) {
        received = received.subarray(command.end);
        socket.push(encoded(reply(command.words, session)));
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

/** The command at the beginning, and where it ends: `*2\r\n$3\r\nGET\r\n$1\r\na\r\n` → GET, a. Undefined where it is not whole. */
function takeCommand(bytes: Buffer): { readonly words: readonly string[]; readonly end: number } | undefined {
  const line = (start: number): readonly [text: string, end: number] | undefined => {
    const end = bytes.indexOf("\r\n", start);
    return end < 0 ? undefined : [bytes.toString("utf8", start + 1, end), end + 2];
  };
  const head = line(0);
  if (!head) return undefined;
  const words: string[] = [];
  let at = head[1];
  while (words.length < Number(head[0])) {
    const length = line(at);
    if (!length) return undefined;
    const end = length[1] + Number(length[0]);
    if (end + 2 > bytes.length) return undefined;
    words.push(bytes.toString("utf8", length[1], end));
    at = end + 2;
  }
  return { words, end: at };
}

/** A reply as it goes over the connection. */
function encoded(reply: Reply): string {
  if (reply === null) return "$-1\r\n";
  if (typeof reply === "number") return `:${reply}\r\n`;
  if (typeof reply === "string") return `$${Buffer.byteLength(reply)}\r\n${reply}\r\n`;
  if ("ok" in reply) return `+${reply.ok}\r\n`;
  if ("refused" in reply) return `-${reply.refused}\r\n`;
  return `*${reply.length}\r\n${reply.map(encoded).join("")}`;
}
