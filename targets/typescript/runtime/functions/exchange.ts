import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { WorkflowError } from "../errors.ts";
import type { Step } from "../flow.ts";
import type { Json } from "../json.ts";
import { childTrace } from "../trace.ts";
import { isJson, readAnswer } from "./answer.ts";
import { type SentRequest, sendFollowing } from "./redirects.ts";
import { noResponse, type ResultOptions, readResult } from "./result.ts";
import { headersOf, type Setting } from "./settings.ts";
import type { TokenSource } from "./token.ts";

/** One request, ready to be sent. */
export interface Message {
  readonly method: string;
  readonly url: string;
  readonly headers?: { readonly [name: string]: string };
  /** Sent as JSON; if omitted, the request has no body. */
  readonly body?: Json | undefined;
  /** Sent unchanged, instead of `body`. */
  readonly text?: string | undefined;
}

/** Options of the calls of a function. */
export interface CallOptions {
  readonly headers?: { readonly [name: string]: Setting };
  /** The timeout of a call in seconds, including the whole response; by default, that of its step, or else 300. */
  readonly timeout?: number;
  /** The maximum length of a response in bytes; 10 MiB by default. */
  readonly maximumBytes?: number;
  /**
   * The prefix of the status in the name of an error, such as `HTTP_CALL_`; with a prefix, exactly the statuses from
   * 400 on are errors.
   */
  readonly failure?: string;
  /**
   * The name of the error for a response that is not JSON. If omitted, strings of other media types are valid
   * responses.
   */
  readonly invalid?: string;
  /** Replaces these rules for results and errors. */
  readonly result?: ResultOptions;
  /** Follows redirections. */
  readonly follow?: true;
  /** Obtains an access token for each request. */
  readonly token?: TokenSource;
  /** Receives the status and the headers of the response. */
  readonly onResponse?: (headers: IncomingHttpHeaders) => void;
}

/**
 * Sends a request and returns the response: JSON, a string for other media types, null if it is empty. Throws
 * `HttpError`, or the error that the response names, for a status outside 200 to 299 (redirections are not followed,
 * because they would send the headers elsewhere), and `NetworkError` without a response. The header `Idempotency-Key`
 * lets the server recognize repeated calls.
 */
export async function exchange(message: Message, step: Step, options: CallOptions = {}): Promise<Json> {
  const { maximumBytes = 10 * 1024 * 1024, failure, invalid } = options;
  const content = contentOf(message);
  const { trace } = step;
  const headers = {
    accept: "application/json",
    ...(trace !== undefined && { traceparent: childTrace(trace) }),
    ...(content && { "content-type": content.type }),
    ...message.headers,
    ...headersOf(options.headers ?? {}),
    "idempotency-key": headerKey(step.key),
  };
  const clock = clockFor(step, options.timeout);
  const sent = { method: message.method, url: message.url, headers, text: content?.text };
  try {
    const response = await respond(sent, step, options, clock.signal);
    const { statusCode: status = 0, statusMessage: reason = "", headers: received } = response;
    options.onResponse?.(received);
    const answer = { status, type: received["content-type"] ?? "", body: response };
    return await (options.result
      ? readResult({ ...answer, headers: received, reason }, message, options.result, maximumBytes)
      : readAnswer(answer, { maximumBytes, failure, invalid }));
  } catch (thrown) {
    throw clock.failure() ?? failureOf(thrown, options);
  }
}

function failureOf(thrown: unknown, { result }: CallOptions): WorkflowError {
  if (thrown instanceof WorkflowError && !(result && thrown.name === "NetworkError")) return thrown;
  const reason = thrown instanceof WorkflowError ? thrown.message : reasonOf(thrown);
  return result ? noResponse(result, reason) : new WorkflowError("NetworkError", reason);
}

/** Sends a request, with an access token if it needs one. A token that the server rejects is renewed once. */
async function respond(
  request: SentRequest,
  step: Step,
  { follow, token }: CallOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const deliver = (each: SentRequest) =>
    follow ? sendFollowing(each, (one) => send(one, signal)) : send(each, signal);
  if (!token) return deliver(request);
  const withToken = (text: string): SentRequest => ({
    ...request,
    headers: { ...request.headers, authorization: `Bearer ${text}` },
  });
  const text = await unlessAborted(token(step), signal);
  const response = await deliver(withToken(text));
  if (response.statusCode !== 401) return response;
  response.resume();
  return deliver(withToken(await unlessAborted(token(step, text), signal)));
}

/** Waits for work that continues for others when this call is aborted. */
async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  work.catch(() => undefined);
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop);
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener("abort", stop));
}

/** Sends a request over its own connection. `fetch` would always give up after 300 seconds. */
function send({ method, url, headers, text }: SentRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const { request } = process.getBuiltinModule(/^https:/i.test(url) ? "node:https" : "node:http");
  const length = text === undefined ? {} : { "content-length": Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, ...length, connection: "close" }, signal }, resolve);
    sent.on("error", reject);
    sent.end(text);
  });
}

/** The body of a request, and its media type if the headers do not state one. */
function contentOf({ body, text }: Message): { readonly text: string; readonly type: string } | undefined {
  if (text !== undefined) return { text, type: isJson(text) ? "application/json" : "text/plain; charset=utf-8" };
  return body === undefined ? undefined : { text: JSON.stringify(body), type: "application/json" };
}

/** The key of a step as the value of a header. */
export const headerKey = (key: string): string => encodeURI(key.toWellFormed());

/** The reason of a failed request, from the system's error: `fetch` itself only reports that it failed. */
function reasonOf(thrown: unknown): string {
  const cause: unknown = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  if (!(cause instanceof Error)) return "There was no answer.";
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
  return cause.message || code || "There was no answer.";
}

/** The timeout of a call. */
export interface Clock {
  /** Aborts at the timeout, or with the step. */
  readonly signal: AbortSignal;
  /** The reason of the abort; undefined without one. */
  failure(): unknown;
}

/** Starts the timeout of a call: the given seconds, or that of its step, or else 300. */
export function clockFor(step: Step, seconds: number | undefined): Clock {
  const most = seconds ?? (step.timeout === undefined ? 300 : undefined);
  if (most === undefined) return { signal: step.signal, failure: () => abortReason(step.signal) };
  const limit = AbortSignal.timeout(most * 1000);
  const late = () => new WorkflowError("Timeout", `There was no answer within ${most} seconds.`, { origin: "timeout" });
  return {
    signal: AbortSignal.any([step.signal, limit]),
    failure: () => abortReason(step.signal) ?? (limit.aborted ? late() : undefined),
  };
}

const abortReason = (signal: AbortSignal): unknown => (signal.aborted ? signal.reason : undefined);
