import type { Json } from "../../../../src/json.ts";
import { failureOf, parseAddress, type ServerAddress } from "./client.ts";
import { type Connection, isRejection, openConnection, type Reply } from "./resp.ts";
import type { Store, StoreAddress, StoredValue } from "./store.ts";

/**
 * A store on a Redis server. A document is the string `<revision> <JSON>` at its key; a transaction (`WATCH`, `MULTI`,
 * `EXEC`) replaces it unless it was changed in between. Revisions come from a counter, so that none is used twice.
 */
export function createRedisStore(address: StoreAddress): Store {
  const server = parseAddress("Redis", address);
  const { prefix } = server;
  const counter = `${prefix}revisions`;
  const documents = `${prefix}document:`;
  const client = createClient(server);
  const keyOf = (key: string) => documents + key;
  return {
    async get(key) {
      const [text] = await client.session().send([["GET", keyOf(key)]]);
      return documentIn(text);
    },
    put: (key, value, revision, { keepMs } = {}) =>
      client.exclusively(async (session) => {
        const [, text, next] = await session.send([
          ["WATCH", keyOf(key)],
          ["GET", keyOf(key)],
          ["INCR", counter],
        ]);
        const expiry = keepMs === undefined ? [] : ["PX", String(Math.max(1, Math.ceil(keepMs)))];
        const command = ["SET", keyOf(key), `${next} ${JSON.stringify(value)}`, ...expiry];
        return replace(session, documentIn(text)?.revision === revision, command);
      }),
    remove: (key, revision) =>
      client.exclusively(async (session) => {
        const [, text] = await session.send([
          ["WATCH", keyOf(key)],
          ["GET", keyOf(key)],
        ]);
        return replace(session, documentIn(text)?.revision === revision, ["DEL", keyOf(key)]);
      }),
    keys: async (prefixOfKeys) =>
      (await scan(keyOf(prefixOfKeys), client.session())).map((key) => key.slice(documents.length)).sort(),
    close: client.close,
  };
}

/** The keys with a prefix, each once. */
async function scan(start: string, session: Session): Promise<readonly string[]> {
  const found = new Set<string>();
  let cursor = "0";
  do {
    const [reply] = await session.send([["SCAN", cursor, "MATCH", `${escapePattern(start)}*`, "COUNT", "1000"]]);
    const [next, keys] = reply as readonly [string, readonly string[]];
    for (const key of keys) found.add(key);
    cursor = next;
  } while (cursor !== "0");
  return [...found];
}

/** One connection: transactions belong to the connection on which they begin. */
interface Session {
  /** Sends commands and returns their replies. Fails with a `StoreFailure` if the server rejects one. */
  send(commands: readonly (readonly string[])[]): Promise<readonly Reply[]>;
}

/** Connects on demand, and again after a failure. */
interface Client {
  session(): Session;
  /** Runs work after all work that began before. */
  exclusively<T>(work: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

function createClient(server: ServerAddress): Client {
  const greeting = greetingOf(server);
  let open: { readonly connection: Connection; readonly session: Session } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const close = () => {
    open?.connection.close();
    open = undefined;
  };
  const acceptedBy = (replies: readonly Reply[]) => {
    const rejection = replies.find(isRejection);
    if (rejection) throw failureOf(server, `rejects a command: ${rejection.rejected}`);
    return replies;
  };
  const session = (): Session => {
    if (open) return open.session;
    const connection = openConnection(server);
    const greeted = connection.send(greeting).then(acceptedBy);
    greeted.catch(() => undefined);
    const send: Session["send"] = async (commands) => {
      try {
        const replies = connection.send(commands);
        replies.catch(() => undefined);
        await greeted;
        return acceptedBy(await replies);
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
    exclusively<T>(work: (session: Session) => Promise<T>): Promise<T> {
      const done = last.then(() => work(session()));
      last = done.catch(() => undefined);
      return done;
    },
    close: async () => close(),
  };
}

/** The commands that authenticate a connection and select its database. */
function greetingOf({ username, password, path }: ServerAddress): readonly (readonly string[])[] {
  const database = path.slice(1);
  return [
    ...(password === "" ? [] : [["AUTH", ...(username === "" ? [] : [username]), password]]),
    ...(/^\d+$/.test(database) && database !== "0" ? [["SELECT", database]] : []),
  ];
}

/** Ends a transaction with a command, or without one if the revision is not the expected one. */
async function replace(session: Session, isExpected: boolean, command: readonly string[]): Promise<boolean> {
  if (!isExpected) {
    await session.send([["UNWATCH"]]);
    return false;
  }
  const replies = await session.send([["MULTI"], command, ["EXEC"]]);
  return replies[2] !== null;
}

function documentIn(reply: Reply | undefined): StoredValue | undefined {
  if (typeof reply !== "string") return undefined;
  const space = reply.indexOf(" ");
  return { revision: reply.slice(0, space), value: JSON.parse(reply.slice(space + 1)) as Json };
}

const escapePattern = (text: string): string => text.replace(/[*?[\]\\^-]/g, "\\$&");
