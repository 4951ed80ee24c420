import { WorkflowError } from "../errors.ts";
import { isObject, type Json } from "../json.ts";
import { addressOf, headerText, memberOf, membersOf, plainText, queryOf, without } from "./address.ts";
import { type CallOptions, exchange, type Message } from "./exchange.ts";
import type { Call } from "./http.ts";
import { local } from "./local.ts";
import { type Setting, textOf } from "./settings.ts";

/** An operation of an OpenAPI document. */
export interface Operation {
  readonly method: string;
  /** The server's address, without a slash at its end. */
  readonly server: Setting;
  /** Names in braces are parameters. */
  readonly path: string;
  readonly parameters?: readonly Parameter[];
  /**
   * What of the argument is the body: its member `body`, or all members that are not parameters; if omitted, the
   * request has no body.
   */
  readonly body?: "member" | "rest";
  /** The operation requires a body. */
  readonly bodyRequired?: true;
}

/** A parameter of an operation that is not in its path: the member of the argument with the same name. */
export interface Parameter {
  readonly name: string;
  readonly in: "query" | "header" | "cookie";
  readonly required?: true;
  /** The format of an object or an array in a query, unless an array repeats its name. */
  readonly style?: "joined" | "deepObject" | "members";
}

/** A function that calls an operation of an OpenAPI document. */
export function openapi(operation: Operation, options: CallOptions = {}): Call {
  return local(
    async (argument, step) => (await exchange(messageOf(operation, argument as Json), step, options)) as never,
  );
}

function messageOf({ method, server, path, parameters = [], body, bodyRequired }: Operation, argument: Json): Message {
  const { url, rest } = addressOf(path, argument);
  for (const { name, required } of parameters) {
    if (required && (memberOf(rest, name) ?? null) === null)
      throw new WorkflowError("ArgumentError", `The argument has no ${name}.`);
  }
  const valuesIn = (place: Parameter["in"]) =>
    parameters.flatMap((parameter) => {
      const value = parameter.in === place ? (memberOf(rest, parameter.name) ?? null) : null;
      return value === null ? [] : [{ ...parameter, value }];
    });
  const query = valuesIn("query").flatMap(queryPartsOf).join("&");
  const headers = Object.fromEntries(
    valuesIn("header").map(({ name, value }) => [name.toLowerCase(), headerText(name, value)]),
  );
  const cookie = valuesIn("cookie").map(
    ({ name, value }) => `${name}=${encodeURIComponent(plainText(value).toWellFormed())}`,
  );
  if (cookie.length > 0) headers["cookie"] = cookie.join("; ");
  const content = bodyOf(body, rest, new Set(parameters.map(({ name }) => name)));
  if (bodyRequired && content === undefined) throw new WorkflowError("ArgumentError", "The argument has no body.");
  return {
    method,
    url: `${textOf(server).replace(/\/$/, "")}${url}${query === "" ? "" : `?${query}`}`,
    headers,
    body: content,
  };
}

function bodyOf(body: Operation["body"], rest: Json, parameters: ReadonlySet<string>): Json | undefined {
  if (body === undefined) return undefined;
  return body === "member" ? memberOf(rest, "body") : without(rest, parameters);
}

function queryPartsOf({ name, style, value }: Parameter & { readonly value: Json }): readonly string[] {
  if (style === "joined") return queryOf(name, plainText(value));
  if (!isObject(value) || style === undefined) return queryOf(name, value);
  return membersOf(value).flatMap(([member, inner]) =>
    queryOf(style === "deepObject" ? `${name}[${member}]` : member, inner),
  );
}
