import type { LogEntry } from "../engine.ts";
import { WorkflowError } from "../errors.ts";
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

/**
 * Sends an event until the sink has taken it: what is busy, restarts or cannot be reached is asked again, less and less often. Rejects where the sink refuses
 * it. Each is sent at least once, and always with the same id.
 */
export async function sendTo({ url, headers = {}, timeout = 30 }: Sink, event: CloudEvent, log: Log): Promise<void> {
  const message = {
    method: "POST",
    url: textOf(url),
    headers: { "content-type": "application/cloudevents+json" },
    body: event,
  };
  const { signal } = new AbortController();
  for (let attempt = 1; ; attempt++) {
    try {
      await exchange(message, { key: event.id, attempt, signal, position: [] }, { headers, timeout });
      return;
    } catch (thrown) {
      if (!isPassing(thrown)) throw thrown;
      const seconds = Math.min(2 ** (attempt - 1), longestPause);
      log({ level: "warn", message: "An event was not taken; it is sent again.", event: event.id, attempt, seconds });
      await process.getBuiltinModule("node:timers/promises").setTimeout(seconds * 1000, undefined, { ref: false });
    }
  }
}

/** Hears what is worth knowing. */
type Log = (entry: LogEntry) => void;

/** The longest pause before an event is sent again, in seconds. */
const longestPause = 60;

/** Whether a sink may take an event later: there was no answer, or one that says so. */
function isPassing(thrown: unknown): boolean {
  if (!(thrown instanceof WorkflowError)) return false;
  if (thrown.origin === "timeout" || thrown.name === "NetworkError") return true;
  const { data } = thrown;
  const status = isObject(data) && Object.hasOwn(data, "status") ? data["status"] : undefined;
  return typeof status === "number" && (status >= 500 || [408, 425, 429].includes(status));
}
