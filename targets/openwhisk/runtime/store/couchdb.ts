import { isObject, type Json, type JsonObject, own } from "../../../../src/json.ts";
import { failureOf, parseAddress, type ServerAddress } from "./client.ts";
import type { Store, StoreAddress, StoredValue } from "./store.ts";

/**
 * A store in an existing CouchDB database: a document `{ "value": …, "until": … }` per key, replaced by its `_rev`.
 * CouchDB has no expiry: `get` ignores expired documents, `keys` and `put` remove them.
 */
export function createCouchStore(address: StoreAddress, now: () => number = Date.now): Store {
  const server = parseAddress("CouchDB", address);
  const { prefix } = server;
  const request = createRequest(server);
  const pathOf = (key: string) => encodeURIComponent((prefix + key).toWellFormed());
  const read = async (key: string) => {
    const { status, body } = await request("GET", pathOf(key));
    return status === 404 ? undefined : documentIn(body);
  };
  const remove = async (key: string, revision: string) => {
    const { status } = await request("DELETE", `${pathOf(key)}?rev=${encodeURIComponent(revision)}`);
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
        return (await request("PUT", pathOf(key), body)).status !== 409;
      };
      if (await write(revision)) return true;
      if (revision !== undefined) return false;
      const found = await read(key);
      return found !== undefined && found.until <= now() && write(found.revision);
    },
    remove,
    async keys(prefixOfKeys) {
      const kept: string[] = [];
      for (const { key, document } of await list(prefix + prefixOfKeys, request)) {
        if (document.until > now()) kept.push(key.slice(prefix.length));
        else await remove(key.slice(prefix.length), document.revision);
      }
      return kept.sort();
    },
    async close() {},
  };
}

interface ExpiringValue extends StoredValue {
  readonly until: number;
}

interface CouchResponse {
  readonly status: number;
  readonly body: Json;
}

type CouchRequest = (method: string, path: string, document?: JsonObject) => Promise<CouchResponse>;

async function list(start: string, request: CouchRequest): Promise<ReturnType<typeof rowsIn>> {
  const [from, to] = [start, `${start}\uffff`].map((key) => encodeURIComponent(JSON.stringify(key)));
  const { body } = await request("GET", `_all_docs?include_docs=true&startkey=${from}&endkey=${to}`);
  return rowsIn(body).filter(({ key }) => key.startsWith(start));
}

const knownStatuses = new Set([200, 201, 202, 404, 409]);

function createRequest(server: ServerAddress): CouchRequest {
  const { scheme, host, port, path: database, username, password, timeoutMs } = server;
  const credentials = Buffer.from(`${username}:${password}`).toString("base64");
  const authorization = username === "" ? {} : { authorization: `Basic ${credentials}` };
  const headers = { accept: "application/json", "content-type": "application/json", ...authorization };
  const base = `${scheme}://${host}${port === "" ? "" : `:${port}`}${database}`;
  return async (method, path, document) => {
    const body: { readonly body?: string } = document === undefined ? {} : { body: JSON.stringify(document) };
    let status: number;
    let text: string;
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(`${base}/${path}`, { method, headers, signal, ...body });
      [status, text] = [response.status, await response.text()];
    } catch (error) {
      throw failureOf(server, "cannot be reached", error);
    }
    if (status === 413 && body.body !== undefined) throw tooLarge(server, Buffer.byteLength(body.body));
    if (!knownStatuses.has(status) || text.includes('"no_db_file"'))
      throw failureOf(server, `rejects a request: ${status} ${text.slice(0, 200)}`);
    return { status, body: JSON.parse(text) as Json };
  };
}

/** The error for a document above the server's limit, which the same request would exceed again. */
function tooLarge({ host, port }: ServerAddress, bytes: number): Error {
  const message = `CouchDB at ${host}${port === "" ? "" : `:${port}`} accepts no document of ${bytes} bytes; its setting is max_document_size.`;
  return Object.assign(new Error(message), { name: "LimitError" });
}

function documentIn(body: Json): ExpiringValue {
  const member = (name: string) => (isObject(body) ? own(body, name) : undefined);
  const until = member("until");
  return {
    value: member("value") ?? null,
    revision: String(member("_rev")),
    until: typeof until === "number" ? until : Number.POSITIVE_INFINITY,
  };
}

function rowsIn(body: Json): readonly { readonly key: string; readonly document: ExpiringValue }[] {
  const rows = isObject(body) ? own(body, "rows") : undefined;
  return (Array.isArray(rows) ? (rows as readonly JsonObject[]) : []).flatMap(({ id, doc }) =>
    typeof id === "string" && isObject(doc) ? [{ key: id, document: documentIn(doc) }] : [],
  );
}
