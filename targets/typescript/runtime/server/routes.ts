import type { Scope } from "./access.ts";
import { deleteRun, postCancel, postEvents, postPrune, postRetry, postRun } from "./commands.ts";
import { getDashboardFile } from "./dashboard.ts";
import type { Exchange } from "./handler.ts";
import { getCounts, getGraph, getSteps, getWorkflows } from "./inspection.ts";
import { getMetrics } from "./metrics.ts";
import { Refusal } from "./refusal.ts";
import { getResult, getRun, getRuns, getVersions } from "./runs.ts";
import { postSignal } from "./signal.ts";
import { getAccess, getHealth } from "./status.ts";
import { getActivityTask, postFailure, postHeartbeat, postSuccess } from "./tasks.ts";

/** A method on a path, and who may use it. */
export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** The parts of the path. `{id}` matches any part except an empty one. */
  readonly path: readonly string[];
  /** The permission that it requires: `any` known credentials, or `none` for routes that hold no data. */
  readonly scope: Scope | "any" | "none";
  /** Responds. The id is the part of the path that `{id}` matches. */
  readonly respond: (exchange: Exchange, id: string) => Promise<void> | void;
}

const route = (method: Route["method"], path: string, scope: Route["scope"], respond: Route["respond"]): Route => ({
  method,
  path: path.slice(1).split("/"),
  scope,
  respond,
});

const routes: readonly Route[] = [
  route("GET", "/health", "none", getHealth),
  route("GET", "/", "none", (exchange) => getDashboardFile(exchange, "index.html")),
  route("GET", "/dashboard.css", "none", (exchange) => getDashboardFile(exchange, "dashboard.css")),
  route("GET", "/dashboard.js", "none", (exchange) => getDashboardFile(exchange, "dashboard.js")),
  route("GET", "/picture.js", "none", (exchange) => getDashboardFile(exchange, "picture.js")),
  route("GET", "/access", "any", getAccess),
  route("POST", "/events", "events", postEvents),
  route("POST", "/workflows/{id}/runs", "start", postRun),
  route("POST", "/workflows/{id}/signal", "start", postSignal),
  route("POST", "/tasks/{id}/success", "tasks", postSuccess),
  route("POST", "/tasks/{id}/failure", "tasks", postFailure),
  route("POST", "/tasks/{id}/heartbeat", "tasks", postHeartbeat),
  route("GET", "/activities/{id}", "tasks", getActivityTask),
  route("GET", "/runs", "read", getRuns),
  route("GET", "/runs/{id}", "read", getRun),
  route("GET", "/runs/{id}/steps", "read", getSteps),
  route("GET", "/counts", "read", getCounts),
  route("GET", "/workflows", "read", getWorkflows),
  route("GET", "/workflows/{id}/graph", "read", getGraph),
  route("GET", "/runs/{id}/result", "read", getResult),
  route("POST", "/runs/{id}/cancel", "manage", postCancel),
  route("POST", "/runs/{id}/retry", "manage", postRetry),
  route("DELETE", "/runs/{id}", "manage", deleteRun),
  route("GET", "/versions", "read", getVersions),
  route("GET", "/metrics", "read", getMetrics),
  route("POST", "/prune", "manage", postPrune),
];

/** The route of a request and its id, or the refusal of a path or method that does not exist. */
export function findRoute(
  method: string,
  path: readonly string[],
): { readonly route: Route; readonly id: string } | Refusal {
  const found = routes.filter((each) => matches(each.path, path));
  const allowed = found.map((each) => each.method);
  if (found.length === 0) return new Refusal(404, "Not found", "There is nothing at this path.");
  const wanted = method === "HEAD" ? "GET" : method;
  const chosen = found.find((each) => each.method === wanted);
  if (chosen) return { route: chosen, id: path[chosen.path.indexOf("{id}")] ?? "" };
  return new Refusal(405, "Method not allowed", `This path supports ${allowed.join(", ")}.`, {
    headers: { allow: allowed.join(", ") },
  });
}

const matches = (pattern: readonly string[], path: readonly string[]): boolean =>
  pattern.length === path.length && pattern.every((part, i) => (part === "{id}" ? path[i] !== "" : part === path[i]));
