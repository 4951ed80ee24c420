import type { ServerResponse } from "node:http";
import type { Json } from "../json.ts";

/** A rejected request. The response is a problem document (RFC 9457). */
export class Refusal extends Error {
  readonly status: number;
  readonly title: string;
  readonly more: {
    readonly headers?: { readonly [name: string]: string };
    readonly members?: { readonly [name: string]: Json | undefined };
  };

  constructor(status: number, title: string, detail: string, more: Refusal["more"] = {}) {
    super(detail);
    this.status = status;
    this.title = title;
    this.more = more;
  }
}

/** The headers of a response with JSON. */
export const jsonHeaders = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
} as const;

/** Answers with JSON. */
export function answer(
  response: ServerResponse,
  status: number,
  body: Json,
  headers: { readonly [name: string]: string } = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...jsonHeaders,
    "content-length": Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

/** Responds with a refusal. Closes the connection if the client has not sent its whole request. */
export function refuse(response: ServerResponse, { status, title, message, more }: Refusal): void {
  const closing: { readonly [name: string]: string } = response.req.complete ? {} : { connection: "close" };
  const headers = { "content-type": "application/problem+json", ...closing, ...more.headers };
  answer(response, status, { title, status, detail: message, ...more.members }, headers);
}
