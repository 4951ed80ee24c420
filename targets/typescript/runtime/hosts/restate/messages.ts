import type { CloudEvent } from "../../events.ts";
import type { Json } from "../../json.ts";

/** The stored summary of a run. */
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

/** An event that a run posts to its outbox, with the trace context of the run if it has one. */
export type PostedEvent = CloudEvent | { readonly event: CloudEvent; readonly trace: string };

/** The parts of a posted event. */
export const partsOfPosted = (posted: PostedEvent): Pick<Leaving, "event" | "trace"> =>
  "specversion" in posted ? { event: posted } : { event: posted.event, trace: posted.trace };

/** An emitted event that no sink has accepted, with the reason if one has refused it. */
export interface Leaving {
  readonly event: CloudEvent;
  /** The trace context of the run. */
  readonly trace?: string | undefined;
  readonly at: number;
  readonly reason?: string | undefined;
}

/** The services of a program. */
export interface Names {
  readonly run: string;
  readonly book: string;
  readonly outbox: string;
  readonly gate: string;
}

/** The only key of the object. */
export const bookKey = "all";

/** The key under which the object stores the beginning of a run. */
export const runKey = (run: string): string => `run:${run}`;

/** The prefix of the keys under which the object stores runs that may wait. */
export const memberPrefix = "member:";

/** The key under which the object stores that a run may wait. */
export const memberKey = (run: string): string => memberPrefix + run;

/** The prefix of the keys under which the object stores when events arrived. */
export const seenPrefix = "seen:";

/**
 * The name of the signal with the answer of a wait; `attempt` distinguishes those of one wait. No step has such a name,
 * because a `#` in those is doubled.
 */
export const answerKey = (wait: string, attempt: string): string => `#answer${attempt}:${wait}`;

/** The name of the signal that retries a run after its `n`-th failure. */
export const retryKey = (n: number): string => `#retry${n}`;

/** The key of the object's response that it has processed what the run has reported. */
export const knownKey = (n: number): string => `#k${n}`;

/** The key of the outbox for the events of a run to a sink. */
export const outboxKey = (run: string, sink: string): string => `${outboxPrefix(run)}${JSON.stringify(sink)}]`;

/** The prefix of the keys of a run's outboxes, and of no other. */
export const outboxPrefix = (run: string): string => `[${JSON.stringify(run)},`;
