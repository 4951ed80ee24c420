import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { WorkflowError } from "../errors.ts";
import type { Step } from "../flow.ts";
import type { Json } from "../json.ts";
import { childTrace } from "../trace.ts";
import { isJson, readAnswer } from "./answer.ts";
import { headersOf, type Setting } from "./settings.ts";

/** One request, ready to be sent. */
export interface Message {
  readonly method: string;
  readonly url: string;
  readonly headers?: { readonly [name: string]: string };
  /** Sent as JSON; absent: no body. */
  readonly body?: Json | undefined;
  /** Sent as it is, in place of `body`. */
  readonly text?: string | undefined;
}

/** What may be set about the calls of a function. */
export interface CallOptions {
  readonly headers?: { readonly [name: string]: Setting };
  /** Seconds until the answer has to be there in full; then the call has taken too long. When absent, as many as its step allows, or 300. */
  readonly timeout?: number;
  /** Longer answers are refused; in bytes, 10 MiB when absent. */
  readonly maximumBytes?: number;
  /** What comes before the status in the name of a failure, such as `HTTP_CALL_`: a failure is then a status from 400 on, and nothing else. */
  readonly failure?: string;
  /** The name of the failure that an answer is which is no JSON. Absent: texts of other types are answers too. */
  readonly invalid?: string;
  /** Told what the head of the answer says. */
  readonly hear?: (headers: IncomingHttpHeaders) => void;
}

/**
 * Sends a request and gives what the answer holds: JSON, the text where it is of another type, null where it is empty. Fails with `HttpError`, or as the
 * answer says, for a status outside 200 to 299 (redirections are not followed: they would carry the headers elsewhere), with `NetworkError` where there is
 * no answer. The server can tell calls that are made again by the header `Idempotency-Key`.
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
  try {
    const response = await send(message, headers, content?.text, clock.signal);
    const { statusCode: status = 0, headers: said } = response;
    options.hear?.(said);
    return await readAnswer(
      { status, type: said["content-type"] ?? "", body: response },
      { maximumBytes, failure, invalid },
    );
  } catch (thrown) {
    throw (
      clock.failure() ??
      (thrown instanceof WorkflowError ? thrown : new WorkflowError("NetworkError", reasonOf(thrown)))
    );
  }
}

/** Sends a request over a connection of its own. `fetch` would give up after 300 seconds, whatever it is told. */
function send(
  { method, url }: Message,
  headers: { readonly [name: string]: string },
  text: string | undefined,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { request } = process.getBuiltinModule(/^https:/i.test(url) ? "node:https" : "node:http");
  const length = text === undefined ? {} : { "content-length": Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, ...length, connection: "close" }, signal }, resolve);
    sent.on("error", reject);
    sent.end(text);
  });
}

/** What a request carries, and the type that it has where its headers do not say one. */
function contentOf({ body, text }: Message): { readonly text: string; readonly type: string } | undefined {
  if (text !== undefined) return { text, type: isJson(text) ? "application/json" : "text/plain; charset=utf-8" };
  return body === undefined ? undefined : { text: JSON.stringify(body), type: "application/json" };
}

/** A step's key as a header can carry it. */
export const headerKey = (key: string): string => encodeURI(key.toWellFormed());

/** Why there was no answer, by the words of the system: `fetch` itself only says that it failed. */
function reasonOf(thrown: unknown): string {
  const cause: unknown = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  if (!(cause instanceof Error)) return "There was no answer.";
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
  return cause.message || code || "There was no answer.";
}

/** How long a call may go on. */
export interface Clock {
  /** Aborted when the call has taken too long, or is cut off with its step. */
  readonly signal: AbortSignal;
  /** What cut the call off; undefined where nothing did. */
  failure(): unknown;
}

/** The clock of a call: so many seconds, or as many as its step allows, or 300 where neither says anything. */
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
