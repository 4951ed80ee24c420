import { isObject, type Json, type JsonObject, own } from "../../../../src/json.ts";
import { type Store, type StoreAddress, type Stored, StoreFailure } from "./store.ts";

/**
 * A store in a database of CouchDB, which has to be there: a document `{ "value": …, "until": … }` under its key, replaced by its `_rev`. CouchDB
 * forgets nothing by itself: what is kept for some time only (`until`) is not found after that, and is removed by whoever comes across it.
 */
export function createCouchStore(address: StoreAddress, now: () => number = Date.now): Store {
  const { prefix = "waybill:", timeoutMs = 5000 } = address;
  const ask = createRequests(address.url, timeoutMs);
  const pathOf = (key: string) => encodeURIComponent((prefix + key).toWellFormed());
  const read = async (key: string) => {
    const { status, body } = await ask("GET", pathOf(key));
    return status === 404 ? undefined : documentIn(body);
  };
  const removed = async (key: string, revision: string) => {
    const { status } = await ask("DELETE", `${pathOf(key)}?rev=${encodeURIComponent(revision)}`);
    return status !== 409 && status !== 404;
  };
  return {
    async get(key) {
      const found = await read(key);
      return found && found.until > now() ? { value: found.value, revision: found.revision } : undefined;
    },
    async put(key, value, revision, { keepMs } = {}) {
      const until = keepMs === undefined ? {} : { until: now() + keepMs };
      const write = async (over: string | undefined) => {
        const body = { ...(over === undefined ? {} : { _rev: over }), value, ...until };
        return (await ask("PUT", pathOf(key), body)).status !== 409;
      };
      if (await write(revision)) return true;
      if (revision !== undefined) return false;
      const found = await read(key);
      return found !== undefined && found.until <= now() && write(found.revision);
    },
    remove: removed,
    async keys(prefixOfKeys) {
      const kept: string[] = [];
      for (const { key, document } of await listed(prefix + prefixOfKeys, ask)) {
        if (document.until > now()) kept.push(key.slice(prefix.length));
        else await removed(key.slice(prefix.length), document.revision);
      }
      return kept.sort();
    },
    async close() {},
  };
}

/** A document of the store, and until when it counts. */
interface Kept extends Stored {
  readonly until: number;
}

/** What the server answers: with a status that is one of those that the store understands. */
interface Answer {
  readonly status: number;
  readonly body: Json;
}

/** The documents whose keys begin in a way. */
async function listed(start: string, ask: ReturnType<typeof createRequests>): Promise<ReturnType<typeof rowsIn>> {
  const [from, to] = [start, `${start}\uffff`].map((key) => encodeURIComponent(JSON.stringify(key)));
  const { body } = await ask("GET", `_all_docs?include_docs=true&startkey=${from}&endkey=${to}`);
  return rowsIn(body).filter(({ key }) => key.startsWith(start));
}

const understood = new Set([200, 201, 202, 404, 409]);

function createRequests(url: string, timeoutMs: number) {
  const { username, password, origin, pathname } = new URL(url);
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization = username === "" ? {} : { authorization: `Basic ${Buffer.from(user).toString("base64")}` };
  const headers = { accept: "application/json", "content-type": "application/json", ...authorization };
  return async (method: string, path: string, document?: JsonObject): Promise<Answer> => {
    const signal = AbortSignal.timeout(timeoutMs);
    const body = document === undefined ? {} : { body: JSON.stringify(document) };
    let status: number;
    let text: string;
    try {
      const response = await fetch(`${origin}${pathname.replace(/\/$/, "")}/${path}`, {
        method,
        headers,
        signal,
        ...body,
      });
      [status, text] = [response.status, await response.text()];
    } catch (error) {
      throw new StoreFailure(`CouchDB at ${origin} cannot be reached: ${reasonOf(error)}`, { cause: error });
    }
    if (!understood.has(status) || text.includes('"no_db_file"'))
      throw new StoreFailure(`CouchDB at ${origin} refuses a request: ${status} ${text.slice(0, 200)}`);
    return { status, body: JSON.parse(text) as Json };
  };
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : String(error);

function documentIn(body: Json): Kept {
  const member = (name: string) => (isObject(body) ? own(body, name) : undefined);
  const until = member("until");
  return {
    value: member("value") ?? null,
    revision: String(member("_rev")),
    until: typeof until === "number" ? until : Number.POSITIVE_INFINITY,
  };
}

/** The documents that a list of them has, by their keys. */
function rowsIn(body: Json): readonly { readonly key: string; readonly document: Kept }[] {
  const rows = isObject(body) ? own(body, "rows") : undefined;
  return (Array.isArray(rows) ? (rows as readonly JsonObject[]) : []).flatMap(({ id, doc }) =>
    typeof id === "string" && isObject(doc) ? [{ key: id, document: documentIn(doc) }] : [],
  );
}
