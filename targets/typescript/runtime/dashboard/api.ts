import type { Json } from "../json.ts";

/** What the token may do. */
export type Scope = "events" | "start" | "tasks" | "read" | "manage";

/** The response of `GET /access`. */
export interface Access {
  readonly may: readonly Scope[];
  readonly workflows?: readonly string[];
}

/** A request that the server has refused, or that has not reached it (status 0). */
export class RequestError extends Error {
  readonly status: number;
  readonly title: string;

  constructor(status: number, title: string, detail: string) {
    super(detail);
    this.status = status;
    this.title = title;
  }
}

const tokenKey = "waybill.token";

/** The token that the user has entered; kept until the tab is closed. */
export const storedToken = (): string | undefined => sessionStorage.getItem(tokenKey) ?? undefined;

/** Keeps the token, or forgets it. */
export function storeToken(token: string | undefined): void {
  if (token === undefined) sessionStorage.removeItem(tokenKey);
  else sessionStorage.setItem(tokenKey, token);
}

/** Sends requests to the server that the page comes from. */
export interface Api {
  get<T>(path: string, query?: Query): Promise<T>;
  post<T>(path: string, body?: Json, query?: Query, type?: string): Promise<T>;
}

/** The query of a request; undefined and empty members are absent. */
export interface Query {
  readonly [name: string]: string | number | undefined;
}

/** Creates the client. `denied` is called if the server no longer accepts the token. */
export function createApi(denied: () => void): Api {
  const send = async <T>(method: string, path: string, query: Query, body?: string, type?: string): Promise<T> => {
    const token = storedToken();
    const headers = new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` });
    if (type !== undefined) headers.set("content-type", type);
    const url = `${path.slice(1)}${searchOf(query)}`;
    const response = await fetch(url, { method, headers, body: body ?? null, credentials: "omit" }).catch(() => {
      throw new RequestError(0, "No response", "The server does not respond.");
    });
    if (response.ok) return (await response.json()) as T;
    if (response.status === 401 && token === storedToken()) denied();
    throw await errorOf(response);
  };
  return {
    get: (path, query = {}) => send("GET", path, query),
    post: (path, body, query = {}, type = "application/json") =>
      body === undefined ? send("POST", path, query) : send("POST", path, query, JSON.stringify(body), type),
  };
}

/** The query string of members that are present, with its question mark. */
export function searchOf(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") parameters.set(name, String(value));
  return parameters.size === 0 ? "" : `?${parameters}`;
}

/** The error of a response, which is a problem document (RFC 9457) unless another server is in between. */
async function errorOf(response: Response): Promise<RequestError> {
  const problem: unknown = await response.json().catch(() => undefined);
  const member = (name: string): string | undefined => {
    const value: unknown = Object.getOwnPropertyDescriptor(Object(problem), name)?.value;
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const title = member("title") ?? `Status ${response.status}`;
  return new RequestError(response.status, title, member("detail") ?? title);
}
