import type { IncomingMessage, ServerResponse } from "node:http";
import type { Engine, LogEntry } from "../engine.ts";
import type { Json } from "../json.ts";
import { type Access, requireAccess } from "./access.ts";
import { answer, Refusal, refuse } from "./refusal.ts";
import { routeOf } from "./routes.ts";

/** How requests are taken. */
export interface HandlerOptions extends Access {
  /** The path under which the handler is mounted in another server, such as `/workflows-api`; absent: the root. */
  readonly prefix?: string | undefined;
  /** The ids of the workflows that runs may be started of. */
  readonly workflows: readonly string[];
  /** Checks the input of a run before it is started: 422 if there is an error. Otherwise the run fails with it. */
  readonly inputError?: ((workflow: string, input: Json) => Error | undefined) | undefined;
  /** Longer bodies are refused; in bytes, 10 MiB when absent. */
  readonly maximumBytes?: number | undefined;
  /** Aborted when the server is about to stop: nobody waits any more then, and `/health` says so. */
  readonly stopping?: AbortSignal | undefined;
  readonly log?: ((entry: LogEntry) => void) | undefined;
}

/** What a route needs to answer. */
export interface Exchange {
  readonly engine: Engine;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly options: HandlerOptions;
}

/**
 * The interface of an engine by HTTP, for `node:http` or any server that takes such handlers:
 *
 *   POST /events                  takes CloudEvents in: structured, binary or batched
 *   POST /workflows/{id}/runs     starts a run; its input is the body
 *   GET  /runs                    lists runs: ?workflow= &status= &limit=
 *   GET  /runs/{id}               tells all of a run: its status, its steps, what it waits for
 *   GET  /runs/{id}/result        its output, once there is one: ?wait= seconds
 *   POST /runs/{id}/cancel        ends it
 *   POST /runs/{id}/retry         lets it go on from the step that failed
 *   GET  /versions                the versions of workflows that are there, and that runs need
 *   POST /prune                   forgets runs that ended long ago: ?older-than= a duration such as P30D
 *   GET  /health                  without a token
 */
export function createHandler(
  engine: Engine,
  options: HandlerOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    respond(engine, request, response, options).catch((thrown: unknown) => {
      if (response.headersSent || request.socket.destroyed) response.destroy();
      else refuse(response, thrown instanceof Refusal ? thrown : refusalOf(thrown, engine, options));
    });
  };
}

async function respond(
  engine: Engine,
  request: IncomingMessage,
  response: ServerResponse,
  options: HandlerOptions,
): Promise<void> {
  const { path, query } = addressOf(request.url ?? "/", options.prefix ?? "");
  if (path.length === 1 && path[0] === "health") return health(engine, response, options);
  requireAccess(request, options);
  const route = routeOf(request.method ?? "GET", path);
  await route({ engine, request, response, query, options });
}

function health(engine: Engine, response: ServerResponse, { stopping }: HandlerOptions): void {
  const status = stopping?.aborted ? "stopping" : engine.fault() ? "store" : "ok";
  const { unsent, refused } = status === "ok" ? engine.unsent() : { unsent: 0, refused: 0 };
  const more = { ...(unsent > 0 && { unsent }), ...(refused > 0 && { refused }) };
  answer(response, status === "ok" ? 200 : 503, { status, ...more }, status === "store" ? retryLater : {});
}

/** When a client may ask again where the store cannot be written. */
const retryLater = { "retry-after": "5" };

/** The parts of the path below the prefix, decoded one by one: a slash in a name is no separator. */
function addressOf(
  target: string,
  prefix: string,
): { readonly path: readonly string[]; readonly query: URLSearchParams } {
  const [path = "", query = ""] = target.split("?", 2);
  if (!path.startsWith(`${prefix}/`)) throw new Refusal(404, "Not found", "There is nothing here.");
  try {
    return {
      path: path
        .slice(prefix.length + 1)
        .split("/")
        .map(decodeURIComponent),
      query: new URLSearchParams(query),
    };
  } catch {
    throw new Refusal(400, "Malformed address", "The address has a % that encodes nothing.");
  }
}

/** What a request comes to that the store could not take, or that nobody foresaw: that is told to the log only. */
function refusalOf(thrown: unknown, engine: Engine, { log }: HandlerOptions): Refusal {
  const fault = engine.fault();
  if (fault !== undefined && fault === thrown)
    return new Refusal(503, "The store cannot be written", "Nothing was taken in; ask again later.", {
      headers: retryLater,
    });
  log?.({
    level: "error",
    message: "A request could not be answered.",
    reason: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
  });
  return new Refusal(500, "Internal error", "Something went wrong; the log tells more.");
}
