import type { IncomingHttpHeaders } from "node:http";
import type { Sending } from "../engine.ts";
import { EventRefused, SinkAway, WorkflowError } from "../errors.ts";
import type { CloudEvent } from "../events.ts";
import { exchange } from "../functions/exchange.ts";
import { type Setting, textOf } from "../functions/settings.ts";
import { isObject } from "../json.ts";
import { childTrace } from "../trace.ts";

/** A receiver of events by HTTP, as CloudEvents in structured mode. */
export interface Sink {
  readonly url: Setting;
  readonly headers?: { readonly [name: string]: Setting };
  /** In seconds. */
  readonly timeout?: number;
}

/**
 * Sends an event. Rejects with `EventRefused` if the sink refuses this event, with `SinkAway` if the sink accepts no
 * events now (it cannot be reached, or responds with 429 or 503; `Retry-After` is respected), and with another error
 * if it may accept this event later.
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
  const onResponse = (received: IncomingHttpHeaders) => {
    after = received["retry-after"];
  };
  try {
    await exchange(message, { key: event.id, attempt, signal, position: [], trace }, { headers, timeout, onResponse });
  } catch (thrown) {
    throw asAnswer(thrown, secondsOf(after));
  }
}

function asAnswer(thrown: unknown, seconds: number): unknown {
  const status = statusIn(thrown);
  if (status === undefined) return isOutOfReach(thrown) ? new SinkAway(thrown.message) : thrown;
  const message = `The sink responded with status ${status}.`;
  if (ofEvents.has(status)) return new EventRefused(message);
  return ofSinks.has(status) ? new SinkAway(message, seconds) : new Error(message);
}

/** The statuses that concern the event, not the sink or the request: conflict, gone, too large and similar ones. */
const ofEvents: ReadonlySet<number> = new Set([400, 406, 409, 410, 411, 413, 415, 422]);

/** The statuses of a sink that accepts no events now. */
const ofSinks: ReadonlySet<number> = new Set([429, 503]);

/** Whether the connection failed; a connection that breaks later may have done so because of the event. */
const isOutOfReach = (thrown: unknown): thrown is WorkflowError =>
  thrown instanceof WorkflowError && thrown.name === "NetworkError" && !/hang up|ECONNRESET|EPIPE/.test(thrown.message);

/** The seconds of a `Retry-After`, which is a number of seconds or a date; 0 if it is neither. */
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
