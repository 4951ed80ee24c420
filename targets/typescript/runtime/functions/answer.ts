import { WorkflowError } from "../errors.ts";
import { isObject, type Json } from "../json.ts";

/** An answer as it arrives. */
export interface Answer {
  readonly status: number;
  /** The media type that it says; empty where it says none. */
  readonly type: string;
  readonly body: AsyncIterable<Uint8Array>;
}

/** What is asked of an answer. */
export interface Expected {
  /** Longer ones are refused. */
  readonly maximumBytes: number;
  /** What comes before the status in the name of a failure: then only a status from 400 on is one. */
  readonly failure?: string | undefined;
  /** The name of the failure that an answer is which is no JSON, whatever type it says. */
  readonly invalid?: string | undefined;
}

/**
 * What an answer holds. Fails where its status is outside 200 to 299, where it is longer than allowed, or where its JSON cannot be read; where failures
 * have names by their status, what says that it is JSON and is not is a text.
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

/** What an answer says that went wrong. */
function messageIn(body: Json): string | undefined {
  if (typeof body === "string" && body !== "") return body.length > 1000 ? `${body.slice(0, 1000)}…` : body;
  return ["message", "detail", "title", "errorMessage"]
    .map((member) => said(body, member))
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

/** Undefined for what says that it is JSON and is not. */
function bodyOf(text: string, type: string): Json | undefined {
  if (text.trim() === "") return null;
  if (type !== "" && !/^[\w.+-]+\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) return text;
  return isJson(text) ? (JSON.parse(text) as Json) : undefined;
}

/** Whether a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The text of a member of an answer; undefined where there is none, or an empty one. */
function said(body: Json, member: string): string | undefined {
  const text = isObject(body) && Object.hasOwn(body, member) ? body[member] : undefined;
  return typeof text === "string" && text !== "" ? text : undefined;
}

/**
 * The failure that an answer is: named by a member `name`, or by the type or the title of a problem document (RFC 9457), else `HttpError`.
 */
function refusal(status: number, body: Json): WorkflowError {
  const type = said(body, "type");
  const title = said(body, "title");
  const problem = title === undefined || type === "about:blank" ? undefined : (type ?? title);
  const message = said(body, "message") ?? said(body, "detail") ?? title ?? answeredWith(status);
  return new WorkflowError(said(body, "name") ?? problem ?? "HttpError", message, { data: { status, body } });
}
