import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Json, JsonObject } from "../../../../../src/json.ts";

/** A server for a test. */
export interface CouchServer {
  /** The URL of the database, with credentials. */
  readonly url: string;
  /** The requests without the database: `GET a%2Fb`. */
  readonly asked: string[];
  stop(): Promise<void>;
}

/** A document, or the tombstone of a deleted one, which keeps its revision number. */
interface Leaf {
  readonly number: number;
  readonly revision: string;
  readonly document: JsonObject | undefined;
}

const credentials = `Basic ${Buffer.from("admin:it's: secret").toString("base64")}`;

/** The default of CouchDB's `max_document_size`, in bytes. */
export const maxDocumentBytes = 8_000_000;

/**
 * A stand-in for CouchDB: one database whose documents are replaced by their `_rev`, with CouchDB's statuses and
 * bodies. A deleted document can be created again without `_rev`, and then has a new revision.
 */
export async function startCouch(): Promise<CouchServer> {
  const leaves = new Map<string, Leaf>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url!.replace("/waybill/", "")}`);
    void answer(request, response, leaves);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  return {
    url: `http://admin:${encodeURIComponent("it's: secret")}@127.0.0.1:${port}/waybill`,
    asked,
    stop: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, leaves: Map<string, Leaf>): Promise<void> {
  const url = new URL(request.url!, "http://localhost");
  const [, database, ...path] = url.pathname.split("/");
  const give = (status: number, body: Json) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  if (request.headers.authorization !== credentials)
    return void give(401, { error: "unauthorized", reason: "Name or password is incorrect." });
  if (database !== "waybill") return void give(404, { error: "not_found", reason: "no_db_file" });
  const text = await bodyOf(request);
  if (path[0] === "_all_docs") return void give(200, { rows: rowsOf(leaves, url.searchParams) });
  const id = decodeURIComponent(path.join("/"));
  const leaf = leaves.get(id);
  switch (request.method) {
    case "GET":
      return void (leaf?.document ? give(200, leaf.document) : give(404, { error: "not_found", reason: "missing" }));
    case "PUT": {
      if (Buffer.byteLength(text) > maxDocumentBytes)
        return void give(413, { error: "document_too_large", reason: id });
      const { _rev, ...document } = JSON.parse(text) as JsonObject;
      return void write(id, leaf, _rev, document);
    }
    case "DELETE":
      if (!leaf?.document) return void give(404, { error: "not_found", reason: "deleted" });
      return void write(id, leaf, url.searchParams.get("rev") ?? undefined, undefined);
    default:
      return void give(405, { error: "method_not_allowed", reason: "Only GET, PUT and DELETE" });
  }

  function write(key: string, old: Leaf | undefined, rev: Json | undefined, document: JsonObject | undefined): void {
    const current = old?.document ? old.revision : undefined;
    if (rev !== current) return void give(409, { error: "conflict", reason: "Document update conflict." });
    const number = (old?.number ?? 0) + 1;
    const revision = `${number}-${"0".repeat(24)}${number}`;
    leaves.set(key, { number, revision, document: document && { _id: key, _rev: revision, ...document } });
    give(document ? 201 : 200, { ok: true, id: key, rev: revision });
  }
}

function rowsOf(leaves: ReadonlyMap<string, Leaf>, query: URLSearchParams): Json {
  const [from, to] = ["startkey", "endkey"].map((name) => JSON.parse(query.get(name)!) as string);
  const found = [...leaves].filter(([key, { document }]) => document && key >= from! && key <= to!);
  return found
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { document, revision }]) => ({ id: key, key, value: { rev: revision }, doc: document! }));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("utf8");
}
