import type { IncomingHttpHeaders } from "node:http";
import { WorkflowError } from "../errors.ts";
import type { Json } from "../json.ts";
import { type Answer, isJson, isJsonType } from "./answer.ts";
import type { Message } from "./exchange.ts";

/** How the response to a request becomes the result of a function, or its error. */
export interface ResultOptions {
  /** Other statuses are errors. */
  readonly accept: { readonly from: number; readonly to: number };
  /** The name of the error for other statuses, and for a request without a response. */
  readonly failure: string;
  /** The body; the request, the status, the headers and the body; or the body in Base64. */
  readonly answer?: "content" | "response" | "raw";
  /** Leaves the request out of a `response`, because it has secrets. */
  readonly hidesRequest?: true;
}

/** A response with its headers and the phrase after its status. */
export interface Response extends Answer {
  readonly headers: IncomingHttpHeaders;
  readonly reason: string;
}

/** The result of a request. Throws for a status that is not accepted, with the status and a body that is text. */
export async function readResult(
  response: Response,
  message: Message,
  { accept, failure, answer = "content", hidesRequest }: ResultOptions,
  maximumBytes: number,
): Promise<Json> {
  const { status, type } = response;
  const body = await bytesOf(response, failure, maximumBytes);
  if (status < accept.from || status > accept.to) throw refusal(failure, response, body);
  if (answer === "raw") return body.toString("base64");
  const content = contentOf(body, type);
  if (answer === "content") return content;
  const request = hidesRequest ? {} : { request: requestOf(message) };
  return { ...request, statusCode: status, headers: headersIn(response.headers), content };
}

/** The error for a request without a response. */
export const noResponse = ({ failure }: ResultOptions, detail: string): WorkflowError =>
  new WorkflowError(failure, "No Response", { data: { status: 500, title: "No Response", detail } });

function refusal(failure: string, { status, type, reason }: Response, body: Buffer): WorkflowError {
  const title = reason === "" ? `Status ${status}` : reason;
  const content = contentOf(body, type);
  const detail = typeof content === "string" ? { detail: shortened(content) } : {};
  return new WorkflowError(failure, title, { data: { status, title, ...detail } });
}

const shortened = (text: string): string => (text.length > 1000 ? `${text.slice(0, 1000)}…` : text);

async function bytesOf({ status, body }: Response, failure: string, maximumBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maximumBytes)
      throw new WorkflowError(failure, `The answer is longer than ${maximumBytes} bytes.`, { data: { status } });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Null without a body; JSON where the media type says so and it is valid; else the text. */
function contentOf(body: Buffer, type: string): Json {
  if (body.length === 0) return null;
  const text = new TextDecoder().decode(body);
  return isJsonType(type) && isJson(text) ? (JSON.parse(text) as Json) : text;
}

/** The request without headers that may be secrets, because results are stored. */
function requestOf({ method, url, headers = {} }: Message): Json {
  const shown = Object.entries(headers).filter(([name]) => !secretHeader.test(name));
  return { method, uri: withoutCredentials(url), headers: Object.fromEntries(shown) };
}

/** A URL without user and password. */
function withoutCredentials(text: string): string {
  const url = new URL(text);
  if (url.username === "" && url.password === "") return text;
  [url.username, url.password] = ["", ""];
  return url.href;
}

const secretHeader = /^(?:proxy-)?authorization$|^cookie$|(?:^|-)(?:api-?key|token|secret|password)$/i;

const headersIn = (headers: IncomingHttpHeaders): Json =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || name === "set-cookie" ? [] : [[name, String(value)] as const],
    ),
  );
