import type { CloudEvent } from "../../events.ts";
import type { Json } from "../../json.ts";

/** How a run is, as others see it. */
export interface Summary {
  readonly status: "running" | "waiting" | "succeeded" | "failed" | "cancelled";
  readonly updated: number;
  readonly events: readonly string[];
  readonly until?: number | undefined;
  readonly output?: Json | undefined;
  readonly error?: { readonly name: string; readonly message: string; readonly data?: Json | undefined } | undefined;
  /** How often it has failed. */
  readonly failures?: number | undefined;
}

/** An event that a run has emitted and no sink has taken; with the reason where one has refused it. */
export interface Leaving {
  readonly event: CloudEvent;
  readonly at: number;
  readonly reason?: string | undefined;
}

/** The services of a program. */
export interface Names {
  readonly run: string;
  readonly book: string;
  readonly outbox: string;
}

/** The only key of the object that knows of all runs. */
export const bookKey = "all";

/** Begins the keys under which that object has when events have come. */
export const seenPrefix = "seen:";

/** The name of the signal by which a run is told a message, and the key of that there: no step has such a one, as a `#` in the names of steps is doubled. */
export const messageKey = (n: number): string => `#m${n}`;

/** The key under which a run hears that the object knows what it was told: that of no step either. */
export const knownKey = (n: number): string => `#k${n}`;

/** The key of where a run goes on that has failed. */
export const resumedKey = "#again";

export const isMessageKey = (key: string): boolean => /^#m\d+$/.test(key);

/** The key of what sends the events of a run to a sink. */
export const outboxKey = (run: string, sink: string): string => `${outboxPrefix(run)}${JSON.stringify(sink)}]`;

/** Begins the keys of what sends the events of a run, and of no other. */
export const outboxPrefix = (run: string): string => `[${JSON.stringify(run)},`;
