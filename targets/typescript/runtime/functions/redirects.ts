import type { IncomingMessage } from "node:http";
import { WorkflowError } from "../errors.ts";

/** A request as it is sent. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly text: string | undefined;
}

const maxRedirects = 5;

/**
 * Sends a request, and follows redirections. Another server receives none of the headers that may be secrets, and a
 * request whose method becomes GET has no body.
 */
export async function sendFollowing(
  first: SentRequest,
  send: (request: SentRequest) => Promise<IncomingMessage>,
): Promise<IncomingMessage> {
  let request = first;
  for (let count = 0; ; count += 1) {
    const response = await send(request);
    const next = redirected(request, response);
    if (!next) return response;
    response.resume();
    if (count === maxRedirects)
      throw new WorkflowError("NetworkError", `There were more than ${maxRedirects} redirections.`);
    request = next;
  }
}

function redirected(
  { method, url, headers, text }: SentRequest,
  { statusCode: status = 0, headers: received }: IncomingMessage,
): SentRequest | undefined {
  const { location } = received;
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined || !URL.canParse(location, url))
    return undefined;
  const to = new URL(location, url);
  if (!/^https?:$/.test(to.protocol)) return undefined;
  const isSame = to.origin === new URL(url).origin;
  const kept = Object.entries(headers).filter(([name]) => isSame || sharedHeaders.has(name));
  const becomesGet = (status === 303 && method !== "HEAD") || (status < 303 && method === "POST");
  const sent = becomesGet ? kept.filter(([name]) => !name.startsWith("content-")) : kept;
  return {
    method: becomesGet ? "GET" : method,
    url: to.href,
    headers: Object.fromEntries(sent),
    text: becomesGet ? undefined : text,
  };
}

/** The headers that another server may see. */
const sharedHeaders: ReadonlySet<string> = new Set(["accept", "content-type", "traceparent", "idempotency-key"]);
