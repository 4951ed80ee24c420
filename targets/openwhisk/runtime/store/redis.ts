import type { Json } from "../../../../src/json.ts";
import { type Connection, isRefused, openConnection, type Reply } from "./resp.ts";
import { type Store, type StoreAddress, type Stored, StoreFailure } from "./store.ts";

/**
 * A store on a Redis server. A document is a text `<revision> <value as JSON>` under its key; a transaction (`WATCH`, `MULTI`, `EXEC`) replaces it
 * only where nobody has touched it since it was read. Revisions come from a counter, so that none comes back.
 */
export function createRedisStore(address: StoreAddress): Store {
  const { prefix = "waybill:" } = address;
  const counter = `${prefix}revisions`;
  const documents = `${prefix}document:`;
  const server = createServer(address);
  const named = (key: string) => documents + key;
  return {
    async get(key) {
      const [text] = await server.session().send([["GET", named(key)]]);
      return documentIn(text);
    },
    put: (key, value, revision, { keepMs } = {}) =>
      server.alone(async (session) => {
        const [, text, next] = await session.send([
          ["WATCH", named(key)],
          ["GET", named(key)],
          ["INCR", counter],
        ]);
        const expiry = keepMs === undefined ? [] : ["PX", String(Math.max(1, Math.ceil(keepMs)))];
        const command = ["SET", named(key), `${next} ${JSON.stringify(value)}`, ...expiry];
        return replaced(session, documentIn(text)?.revision === revision, command);
      }),
    remove: (key, revision) =>
      server.alone(async (session) => {
        const [, text] = await session.send([
          ["WATCH", named(key)],
          ["GET", named(key)],
        ]);
        return replaced(session, documentIn(text)?.revision === revision, ["DEL", named(key)]);
      }),
    keys: async (prefix) =>
      (await scanned(named(prefix), server.session())).map((key) => key.slice(documents.length)).sort(),
    close: server.close,
  };
}

/** The keys that begin in a way, each once. */
async function scanned(start: string, session: Session): Promise<readonly string[]> {
  const found = new Set<string>();
  let cursor = "0";
  do {
    const [reply] = await session.send([["SCAN", cursor, "MATCH", `${quoted(start)}*`, "COUNT", "1000"]]);
    const [next, keys] = reply as readonly [string, readonly string[]];
    for (const key of keys) found.add(key);
    cursor = next;
  } while (cursor !== "0");
  return [...found];
}

/** What goes to the server over one connection, and over no other: a transaction is a matter of the connection that it began on. */
interface Session {
  /** The replies to commands. Fails with a `StoreFailure` also where the server refuses one. */
  send(commands: readonly (readonly string[])[]): Promise<readonly Reply[]>;
}

/** A server, to which a connection is opened when it is needed, and anew after it has failed. */
interface Server {
  session(): Session;
  /** Does some work when all that was begun before is done. */
  alone<T>(work: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

function createServer({ url, timeoutMs = 5000 }: StoreAddress): Server {
  const { protocol, hostname, port, username, password, pathname } = new URL(url);
  const greeting = greetingOf(decodeURIComponent(username), decodeURIComponent(password), pathname.slice(1));
  const at = { host: hostname, port: Number(port || "6379"), isSecure: protocol === "rediss:", timeoutMs };
  let open: { readonly connection: Connection; readonly session: Session } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const close = () => {
    open?.connection.close();
    open = undefined;
  };
  const session = (): Session => {
    if (open) return open.session;
    const connection = openConnection(at);
    const greeted = connection.send(greeting).then(accepted);
    greeted.catch(() => undefined);
    const send: Session["send"] = async (commands) => {
      try {
        const replies = connection.send(commands);
        replies.catch(() => undefined);
        await greeted;
        return accepted(await replies);
      } catch (error) {
        if (open?.connection === connection) close();
        throw error;
      }
    };
    open = { connection, session: { send } };
    return open.session;
  };
  return {
    session,
    alone<T>(work: (session: Session) => Promise<T>): Promise<T> {
      const done = last.then(() => work(session()));
      last = done.catch(() => undefined);
      return done;
    },
    close: async () => close(),
  };
}

/** Replies of which none is a refusal. */
function accepted(replies: readonly Reply[]): readonly Reply[] {
  const refused = replies.find(isRefused);
  if (refused) throw new StoreFailure(`Redis refuses a command: ${refused.refused}`);
  return replies;
}

/** What a connection begins with: who is there, and which database is meant. */
const greetingOf = (username: string, password: string, database: string): readonly (readonly string[])[] => [
  ...(password === "" ? [] : [["AUTH", ...(username === "" ? [] : [username]), password]]),
  ...(/^\d+$/.test(database) && database !== "0" ? [["SELECT", database]] : []),
];

/** Ends a transaction: with a command where the document is the one that was meant, else with nothing done. */
async function replaced(session: Session, isMeant: boolean, command: readonly string[]): Promise<boolean> {
  if (!isMeant) {
    await session.send([["UNWATCH"]]);
    return false;
  }
  const replies = await session.send([["MULTI"], command, ["EXEC"]]);
  return replies[2] !== null;
}

function documentIn(reply: Reply | undefined): Stored | undefined {
  if (typeof reply !== "string") return undefined;
  const space = reply.indexOf(" ");
  return { revision: reply.slice(0, space), value: JSON.parse(reply.slice(space + 1)) as Json };
}

/** A text in which nothing stands for others in a pattern of Redis. */
const quoted = (text: string): string => text.replace(/[*?[\]\\^-]/g, "\\$&");
