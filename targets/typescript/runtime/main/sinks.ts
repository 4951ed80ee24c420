import type { IncomingHttpHeaders } from "node:http";
import type { Sending } from "../engine.ts";
import { EventRefused, SinkAway, WorkflowError } from "../errors.ts";
import type { CloudEvent } from "../events.ts";
import { exchange } from "../functions/exchange.ts";
import { type Setting, textOf } from "../functions/settings.ts";
import { isObject } from "../json.ts";
import { childTrace } from "../trace.ts";

/** Where events are sent by HTTP, as CloudEvents in structured mode. */
export interface Sink {
  readonly url: Setting;
  readonly headers?: { readonly [name: string]: Setting };
  /** Seconds. */
  readonly timeout?: number;
}

/**
 * Sends an event. Rejects with `EventRefused` where the sink says that it does not want this one, with `SinkAway` where it takes none now (it cannot be
 * reached, or answers with 429 or 503, for as long as its `Retry-After` says), with another error where it may take this one later.
 */
export async function sendTo(
  { url, headers = {}, timeout = 30 }: Sink,
  event: CloudEvent,
  { attempt, signal, trace }: Sending,
): Promise<void> {
  const message = {
    method: "POST",
    url: textOf(url),
    headers: { "content-type": "application/cloudevents+json" },
    body: trace === undefined ? event : { traceparent: childTrace(trace), ...event },
  };
  let after: string | undefined;
  const hear = (said: IncomingHttpHeaders) => {
    after = said["retry-after"];
  };
  try {
    await exchange(message, { key: event.id, attempt, signal, position: [], trace }, { headers, timeout, hear });
  } catch (thrown) {
    throw asAnswer(thrown, secondsOf(after));
  }
}

function asAnswer(thrown: unknown, seconds: number): unknown {
  const status = statusIn(thrown);
  if (status === undefined) return isOutOfReach(thrown) ? new SinkAway(thrown.message) : thrown;
  const said = `The sink answers with status ${status}.`;
  if (ofEvents.has(status)) return new EventRefused(said);
  return ofSinks.has(status) ? new SinkAway(said, seconds) : new Error(said);
}

/** The statuses by which a sink speaks of the event, and not of itself or of how it is asked: conflict, gone, too large, and the like. */
const ofEvents: ReadonlySet<number> = new Set([400, 406, 409, 410, 411, 413, 415, 422]);

/** Those by which it says that it takes nothing now. */
const ofSinks: ReadonlySet<number> = new Set([429, 503]);

/** Whether there is no connection: one that breaks may have done so over the event. */
const isOutOfReach = (thrown: unknown): thrown is WorkflowError =>
  thrown instanceof WorkflowError && thrown.name === "NetworkError" && !/hang up|ECONNRESET|EPIPE/.test(thrown.message);

/** The seconds of a `Retry-After`, which is a number of them or a date; 0 where it is neither. */
function secondsOf(after: string | undefined): number {
  if (after === undefined) return 0;
  const seconds = /^\d+$/.test(after.trim()) ? Number(after) : (Date.parse(after) - Date.now()) / 1000;
  return Math.max(seconds || 0, 0);
}

function statusIn(thrown: unknown): number | undefined {
  if (!(thrown instanceof WorkflowError) || !isObject(thrown.data)) return undefined;
  const status = Object.hasOwn(thrown.data, "status") ? thrown.data["status"] : undefined;
  return typeof status === "number" ? status : undefined;
}
