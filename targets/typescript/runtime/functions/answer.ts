import { WorkflowError } from "../errors.ts";
import { isObject, type Json } from "../json.ts";

/** What an answer holds. Fails where its status is outside 200 to 299, where it is longer than allowed, or where its JSON cannot be read. */
export async function readAnswer(response: Response, maximumBytes: number): Promise<Json> {
  const text = await textOf(response, maximumBytes);
  const body = bodyOf(text, response.headers.get("content-type") ?? "");
  if (!response.ok) throw refusal(response.status, body ?? text);
  if (body === undefined)
    throw new WorkflowError("HttpError", "The answer is not JSON.", { data: { status: response.status } });
  return body;
}

async function textOf(response: Response, maximumBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maximumBytes) throw tooLong(response.status, maximumBytes);
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
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/**
 * The failure that an answer is: named by a member `name`, or by the type or the title of a problem document (RFC 9457), else `HttpError`.
 */
function refusal(status: number, body: Json): WorkflowError {
  const said = (member: string): string | undefined => {
    const text = isObject(body) && Object.hasOwn(body, member) ? body[member] : undefined;
    return typeof text === "string" && text !== "" ? text : undefined;
  };
  const type = said("type");
  const problem =
    said("title") === undefined ? undefined : type === "about:blank" ? undefined : (type ?? said("title"));
  const message = said("message") ?? said("detail") ?? said("title") ?? `The server answered with status ${status}.`;
  return new WorkflowError(said("name") ?? problem ?? "HttpError", message, { data: { status, body } });
}
