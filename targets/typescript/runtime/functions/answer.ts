import { WorkflowError } from "../errors.ts";
import { isObject, type Json } from "../json.ts";

/** A response as it arrives. */
export interface Answer {
  readonly status: number;
  /** The media type of the response; empty without one. */
  readonly type: string;
  readonly body: AsyncIterable<Uint8Array>;
}

/** How a response is read. */
export interface Expected {
  /** The maximum length. Longer responses are refused. */
  readonly maximumBytes: number;
  /** The prefix of the status in the name of an error; with a prefix, only a status from 400 on is an error. */
  readonly failure?: string | undefined;
  /** The name of the error for a response that is not JSON, whatever its media type. */
  readonly invalid?: string | undefined;
}

/**
 * Reads a response. Throws if its status is outside 200 to 299, if it is longer than allowed, or if its JSON cannot be
 * parsed. If errors are named by status, a body of a JSON media type that cannot be parsed is returned as a string.
 */
export async function readAnswer(answer: Answer, { maximumBytes, failure, invalid }: Expected): Promise<Json> {
  const { status, type } = answer;
  const text = await textOf(answer, maximumBytes);
  if (failure !== undefined) return contentOf(answer, text, failure);
  const body = bodyOf(text, type);
  if (status < 200 || status > 299) throw refusal(status, body ?? text);
  if (body === undefined || (invalid !== undefined && !isJson(text)))
    throw new WorkflowError(invalid ?? "HttpError", "The answer is not JSON.", { data: { status } });
  return invalid === undefined ? body : (JSON.parse(text) as Json);
}

function contentOf({ status, type }: Answer, text: string, failure: string): Json {
  const read = bodyOf(text, type);
  const body = read === undefined ? text : read;
  if (status < 400) return body;
  throw new WorkflowError(`${failure}${status}`, messageIn(body) ?? answeredWith(status), { data: { status, body } });
}

const answeredWith = (status: number): string => `The server answered with status ${status}.`;

/** The error message in a response. */
function messageIn(body: Json): string | undefined {
  if (typeof body === "string" && body !== "") return body.length > 1000 ? `${body.slice(0, 1000)}…` : body;
  return ["message", "detail", "title", "errorMessage"]
    .map((member) => memberText(body, member))
    .find((text) => text !== undefined);
}

async function textOf({ status, body }: Answer, maximumBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maximumBytes) throw tooLong(status, maximumBytes);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

const tooLong = (status: number, maximumBytes: number): WorkflowError =>
  new WorkflowError("HttpError", `The answer is longer than ${maximumBytes} bytes.`, { data: { status } });

/** Parses a body of a JSON media type; undefined if that fails. */
function bodyOf(text: string, type: string): Json | undefined {
  if (text.trim() === "") return null;
  if (type !== "" && !isJsonType(type)) return text;
  return isJson(text) ? (JSON.parse(text) as Json) : undefined;
}

/** Whether a media type is one of JSON. */
export const isJsonType = (type: string): boolean => /^[\w.+-]+\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type);

/** Whether a string is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A member of a response that is a string; undefined if it is missing or empty. */
function memberText(body: Json, member: string): string | undefined {
  const text = isObject(body) && Object.hasOwn(body, member) ? body[member] : undefined;
  return typeof text === "string" && text !== "" ? text : undefined;
}

/**
 * The error that a response reports, named by its member `name`, or by the type or the title of a problem document
 * (RFC 9457), or else `HttpError`.
 */
function refusal(status: number, body: Json): WorkflowError {
  const type = memberText(body, "type");
  const title = memberText(body, "title");
  const problem = title === undefined || type === "about:blank" ? undefined : (type ?? title);
  const message = memberText(body, "message") ?? memberText(body, "detail") ?? title ?? answeredWith(status);
  return new WorkflowError(memberText(body, "name") ?? problem ?? "HttpError", message, { data: { status, body } });
}
