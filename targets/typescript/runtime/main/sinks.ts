import type { Sending } from "../engine.ts";
import { EventRefused, WorkflowError } from "../errors.ts";
import type { CloudEvent } from "../events.ts";
import { exchange } from "../functions/exchange.ts";
import { type Setting, textOf } from "../functions/settings.ts";
import { isObject } from "../json.ts";

/** Where events are sent by HTTP, as CloudEvents in structured mode. */
export interface Sink {
  readonly url: Setting;
  readonly headers?: { readonly [name: string]: Setting };
  /** Seconds. */
  readonly timeout?: number;
}

/** Sends an event. Rejects with `EventRefused` where the sink says that it does not want this one, with another error where it may take it later. */
export async function sendTo(
  { url, headers = {}, timeout = 30 }: Sink,
  event: CloudEvent,
  { attempt, signal }: Sending,
): Promise<void> {
  const message = {
    method: "POST",
    url: textOf(url),
    headers: { "content-type": "application/cloudevents+json" },
    body: event,
  };
  try {
    await exchange(message, { key: event.id, attempt, signal, position: [] }, { headers, timeout });
  } catch (thrown) {
    const status = statusIn(thrown);
    if (status === undefined) throw thrown;
    const said = `The sink answers with status ${status}.`;
    throw ofEvents.has(status) ? new EventRefused(said) : new Error(said);
  }
}

/** The statuses by which a sink speaks of the event, and not of itself or of how it is asked: conflict, gone, too large, and the like. */
const ofEvents: ReadonlySet<number> = new Set([400, 406, 409, 410, 411, 413, 415, 422]);

function statusIn(thrown: unknown): number | undefined {
  if (!(thrown instanceof WorkflowError) || !isObject(thrown.data)) return undefined;
  const status = Object.hasOwn(thrown.data, "status") ? thrown.data["status"] : undefined;
  return typeof status === "number" ? status : undefined;
}
