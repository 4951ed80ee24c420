import type { IncomingMessage, ServerResponse } from "node:http";
import type { Engine, LogEntry } from "../engine.ts";
import type { Json } from "../json.ts";
import { isOfStore, StoreError } from "../sqlite/file.ts";
import type { AnyWorkflow } from "../workflow.ts";
import { type Access, type Grant, grantOf, requireOrigin, requireScope } from "./access.ts";
import { Refusal, refuse } from "./refusal.ts";
import { findRoute } from "./routes.ts";
import { retryLater } from "./status.ts";

/** How requests are taken. */
export interface HandlerOptions extends Access {
  /** The path under which the handler is mounted in another server, such as `/workflows-api`; by default, the root. */
  readonly prefix?: string | undefined;
  /** The ids of the workflows that runs may be started of. */
  readonly workflows: readonly string[];
  /** The definitions of these workflows, for their names and events. */
  readonly definitions?: readonly AnyWorkflow[] | undefined;
  /** The graph of a version of a workflow, for its picture. */
  readonly graphOf?: ((workflow: string, version: string) => Promise<Json | undefined>) | undefined;
  /** Checks the input of a run before it is started: 422 if there is an error. Otherwise the run fails with it. */
  readonly inputError?: ((workflow: string, input: Json) => Error | undefined) | undefined;
  /** Longer bodies are refused; in bytes, 10 MiB when absent. */
  readonly maximumBytes?: number | undefined;
  /** Prints the metrics in the format of OpenMetrics. */
  readonly metrics?: ((engine: Engine) => Promise<string>) | undefined;
  /** Aborted when the server is about to stop: waiting requests are answered, and `/health` reports it. */
  readonly stopping?: AbortSignal | undefined;
  readonly log?: ((entry: LogEntry) => void) | undefined;
}

/** A request with its context. */
export interface Exchange {
  readonly engine: Engine;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  /** What the credentials of the request permit. */
  readonly grant: Grant;
  readonly options: HandlerOptions;
}

/**
 * The HTTP interface of an engine, for `node:http` or any server that uses such handlers. Each route requires one of
 * the permissions `events`, `start`, `tasks`, `read` and `manage`:
 *
 *   POST /events                  events: receives CloudEvents (structured, binary or batched)
 *   POST /workflows/{id}/runs     start: starts a run; its input is the body
 *   POST /workflows/{id}/signal   start, events: starts a run unless it exists, then delivers an event
 *   POST /tasks/{token}/success   tasks: ends a task that a run waits for with its result, the body
 *   POST /tasks/{token}/failure   tasks: ends it with an error: { "error": …, "cause": … }
 *   POST /tasks/{token}/heartbeat tasks: reports that it is in progress
 *   GET  /activities/{name}       tasks: takes a task of an activity, with its token; ?wait= seconds for one
 *   GET  /runs                    read: lists runs; ?workflow= &status= &from= &until= &value= &error= &limit= &after=
 *   GET  /runs/{id}               read: a run with its status, its steps and what it waits for
 *   GET  /runs/{id}/steps         read: its steps with their results and errors; ?limit= &after=
 *   GET  /runs/{id}/result        read: the output of a run; ?wait= seconds until it has ended
 *   POST /runs/{id}/cancel        manage: cancels a run
 *   POST /runs/{id}/retry         manage: resumes a run from the step that failed, or from ?from= a step
 *   GET  /counts                  read: the number of runs by status; ?workflow=
 *   GET  /workflows               read: the workflows with their events
 *   GET  /workflows/{id}/graph    read: the graph of a ?version=
 *   GET  /metrics                 read: the metrics of the process and its store, as OpenMetrics
 *   GET  /versions                read: the available versions of workflows, and those that runs need
 *   DELETE /runs/{id}             manage: deletes a run that has ended
 *   POST /prune                   manage: deletes runs that ended long ago; ?older-than= a duration such as P30D
 *   GET  /access                  any: what the credentials permit
 *   GET  /health, /               without credentials: whether it accepts requests, and the dashboard
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
  const found = findRoute(request.method ?? "GET", path);
  const scope = found instanceof Refusal ? "any" : found.route.scope;
  if (scope !== "none") requireOrigin(request, options);
  const grant = scope === "none" ? { may: [] } : grantOf(request, options);
  if (found instanceof Refusal) throw found;
  if (scope !== "none" && scope !== "any") requireScope(grant, scope);
  await found.route.respond({ engine, request, response, query, grant, options }, found.id);
}

/** The parts of the path below the prefix, decoded one by one, so that an encoded slash is part of a name. */
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

/** The refusal of a request that failed: 503 if the store did, else 500. Unexpected errors are only logged. */
function refusalOf(thrown: unknown, engine: Engine, { log }: HandlerOptions): Refusal {
  if (thrown instanceof StoreError || isOfStore(thrown) || (thrown !== undefined && thrown === engine.fault()))
    return new Refusal(503, "Store unavailable", "Nothing has been recorded; retry later.", { headers: retryLater });
  log?.({
    level: "error",
    message: "A request could not be answered.",
    reason: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
  });
  return new Refusal(500, "Internal error", "An unexpected error occurred; see the log.");
}
