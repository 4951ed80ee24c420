import type { CloudEvent } from "../events.ts";
import { exchange } from "../functions/exchange.ts";
import { type Setting, textOf } from "../functions/settings.ts";

/** Where events are sent by HTTP, as CloudEvents in structured mode. */
export interface Sink {
  readonly url: Setting;
  readonly headers?: { readonly [name: string]: Setting };
  /** Seconds. */
  readonly timeout?: number;
}

/** Sends an event; rejects where the sink does not take it. Each is sent at least once, and always with the same id. */
export async function sendTo({ url, headers = {}, timeout = 30 }: Sink, event: CloudEvent): Promise<void> {
  const signal = new AbortController().signal;
  const message = {
    method: "POST",
    url: textOf(url),
    headers: { "content-type": "application/cloudevents+json" },
    body: event,
  };
  await exchange(message, { key: event.id, signal, position: [] }, { headers, timeout });
}
