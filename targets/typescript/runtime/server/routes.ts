import { postCancel, postEvents, postPrune, postRetry, postRun } from "./commands.ts";
import type { Exchange } from "./handler.ts";
import { Refusal } from "./refusal.ts";
import { getResult, getRun, getRuns, getVersions } from "./runs.ts";

/** What answers a request. */
export type Route = (exchange: Exchange) => Promise<void> | void;

/** What answers a method on a path. Refuses where there is nothing, and methods that it does not have. */
export function routeOf(method: string, path: readonly string[]): Route {
  const methods = methodsOf(path);
  const allowed = Object.keys(methods);
  if (allowed.length === 0) throw new Refusal(404, "Not found", "There is nothing here.");
  const route = methods[method === "HEAD" ? "GET" : method === "GET" || method === "POST" ? method : "other"];
  if (route) return route;
  throw new Refusal(405, "No such method", `Here is ${allowed.join(", ")}.`, {
    headers: { allow: allowed.join(", ") },
  });
}

interface Methods {
  readonly GET?: Route;
  readonly POST?: Route;
  readonly other?: never;
}

function methodsOf([first, id, last, ...more]: readonly string[]): Methods {
  if (more.length > 0 || id === "") return {};
  if (first === "events" && id === undefined) return { POST: postEvents };
  if (first === "versions" && id === undefined) return { GET: getVersions };
  if (first === "prune" && id === undefined) return { POST: postPrune };
  if (first === "runs" && id === undefined) return { GET: getRuns };
  if (id === undefined) return {};
  if (first === "workflows" && last === "runs") return { POST: (exchange) => postRun(exchange, id) };
  if (first === "runs" && last === undefined) return { GET: (exchange) => getRun(exchange, id) };
  if (first === "runs" && last === "result") return { GET: (exchange) => getResult(exchange, id) };
  if (first === "runs" && last === "cancel") return { POST: (exchange) => postCancel(exchange, id) };
  if (first === "runs" && last === "retry") return { POST: (exchange) => postRetry(exchange, id) };
  return {};
}
