import type { IncomingHttpHeaders } from "node:http";
import type { CloudEvent, ReceivedEvent } from "./events.ts";

/** Whether a value is a trace context of W3C Trace Context 1: the value of a header `traceparent`. */
export const isTrace = (value: unknown): value is string =>
  typeof value === "string" && /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/.test(value);

/** The trace context of a request. */
export const traceOfRequest = ({ traceparent }: IncomingHttpHeaders): string | undefined =>
  isTrace(traceparent) ? traceparent : undefined;

/** The trace context of an event (the extension Distributed Tracing of CloudEvents). */
export function traceOfEvent(event: CloudEvent): string | undefined {
  const trace = event["traceparent"];
  return isTrace(trace) ? trace : undefined;
}

/** The trace context of the last of some events that has one. */
export const traceOfEvents = (events: readonly ReceivedEvent[]): string | undefined =>
  events.map(({ event }) => traceOfEvent(event)).findLast((trace) => trace !== undefined);

/** A trace context in the same trace, for a call or an event. No exporter records its span. */
export function childTrace(trace: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  const id = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${trace.slice(0, 36)}${id}${trace.slice(52)}`;
}
