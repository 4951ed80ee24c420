import { WorkflowError } from "../errors.ts";
import { isObject, type Json } from "../json.ts";
import { headerText, memberOf, membersOf, plainText, queryOf } from "./address.ts";
import { type CallOptions, exchange, type Message } from "./exchange.ts";
import type { Call } from "./http.ts";
import { local } from "./local.ts";
import { type Setting, textOf } from "./settings.ts";

/** The fixed options of the requests of a function. */
export interface RequestOptions extends CallOptions {
  /** The base of the argument's `path`; the argument then has no `url`. */
  readonly server?: Setting;
}

/**
 * A function whose argument is the request: `{ url, method, headers, query, body }`, where only the address is
 * required, with `path` instead of `url` if the server is fixed. The method is `GET` by default. The body is sent
 * unchanged; a JSON body has the media type of JSON if no header states another one.
 */
export function request({ server, ...options }: RequestOptions = {}): Call {
  return local(
    async (argument, step) =>
      (await exchange(messageOf(argument as Json, server && textOf(server)), step, options)) as never,
  );
}

function messageOf(argument: Json, server: string | undefined): Message {
  const method = methodIn(argument);
  const body = memberOf(argument, "body") ?? null;
  const hasBody = body !== null && body !== "" && !/^(?:GET|HEAD)$/.test(method);
  return {
    method,
    url: withQuery(addressIn(argument, server), memberOf(argument, "query") ?? null),
    headers: headersIn(memberOf(argument, "headers") ?? null),
    text: hasBody ? (typeof body === "string" ? body : JSON.stringify(body)) : undefined,
  };
}

function methodIn(argument: Json): string {
  const method = (text(argument, "method") ?? "GET").toUpperCase();
  if (/^[A-Z-]+$/.test(method) && !/^(?:CONNECT|TRACE|TRACK)$/.test(method)) return method;
  throw new WorkflowError("ArgumentError", "The method is none that a program can send.");
}

function addressIn(argument: Json, server: string | undefined): URL {
  const address = server === undefined ? text(argument, "url") : joined(server, text(argument, "path") ?? "");
  if (address === undefined) throw new WorkflowError("ArgumentError", "The argument has no url.");
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new WorkflowError("ArgumentError", "The url is no address of HTTP.");
  const url = new URL(address);
  if (server !== undefined && url.origin !== new URL(server).origin)
    throw new WorkflowError("ArgumentError", "The path leads to another server.");
  return url;
}

const joined = (server: string, path: string): string => `${server.replace(/\/$/, "")}/${path.replace(/^\//, "")}`;

function withQuery(url: URL, query: Json): string {
  const members = isObject(query) ? membersOf(query) : [];
  const parts = members.flatMap(([name, value]) => queryOf(name, value)).join("&");
  if (parts !== "") url.search = url.search === "" ? `?${parts}` : `${url.search}&${parts}`;
  return url.href;
}

function headersIn(given: Json): { readonly [name: string]: string } {
  const members = isObject(given) ? membersOf(given).filter(([, value]) => value !== null) : [];
  return Object.fromEntries(
    members.map(([name, value]) => {
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
        throw new WorkflowError("ArgumentError", "A header has a name that none can have.");
      return [name.toLowerCase(), headerText(name, value)];
    }),
  );
}

/** A string of the argument; undefined without one. */
function text(argument: Json, member: string): string | undefined {
  const value = memberOf(argument, member) ?? null;
  return value === null ? undefined : plainText(value);
}
