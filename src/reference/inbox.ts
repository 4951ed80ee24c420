import type { JsonObject } from "../json.ts";

/** The events that have come for a run and that it has not used, in order of arrival. */
export interface Inbox {
  readonly waiting: readonly JsonObject[];
  /** Puts back what a wait has not used, in place of all that was there. */
  replace(events: readonly JsonObject[]): void;
  /** Hears of every arrival until it is told to stop; the event is in `waiting` by then. */
  listen(listener: () => void): () => void;
  deliver(event: JsonObject): void;
}

/** An inbox with the events that started the run. */
export function createInbox(first: readonly JsonObject[]): Inbox {
  let events = [...first];
  const listeners = new Set<() => void>();
  return {
    get waiting() {
      return events;
    },
    replace(kept) {
      events = [...kept];
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    deliver(event) {
      events.push(event);
      for (const listener of [...listeners]) listener();
    },
  };
}
