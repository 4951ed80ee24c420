import type { Step } from "../flow.ts";
import { isObject, type Json } from "../json.ts";
import { addressOf, queryOf } from "./address.ts";
import { type CallOptions, exchange } from "./exchange.ts";
import { local } from "./local.ts";

/**
 * Calls a remote function with one argument and the properties of the step. The caller determines the type of the
 * result.
 */
export type Call = <Answer>(argument: unknown, step: Step) => Promise<Answer>;

/**
 * A function that is called by HTTP, such as `http("POST https://pay.example.com/orders/{order}")`. Members of the
 * argument replace the names in braces in the address. The rest of the argument is the body, as JSON; with GET, HEAD
 * and DELETE, which have no body, it is the query.
 */
export function http(request: string, options: CallOptions = {}): Call {
  const [method = "", address = ""] = request.trim().split(/\s+/);
  return local(async (argument, step) => {
    const { url, rest } = addressOf(address, argument as Json);
    const message = /^(?:GET|HEAD|DELETE)$/.test(method)
      ? { method, url: withQuery(url, rest) }
      : { method, url, body: rest };
    return (await exchange(message, step, options)) as never;
  });
}

function withQuery(url: string, rest: Json): string {
  const members = isObject(rest) ? Object.entries(rest) : rest === null ? [] : [["value", rest] as const];
  const query = members.flatMap(([name, value]) => queryOf(name, value)).join("&");
  return query === "" ? url : `${url}${url.includes("?") ? "&" : "?"}${query}`;
}
