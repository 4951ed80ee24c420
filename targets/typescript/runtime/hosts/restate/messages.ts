import type { CloudEvent, Taken } from "../../events.ts";
import type { Json } from "../../json.ts";

/** What the handler of a run is given. */
export interface Begin {
  readonly id: string;
  readonly workflow: string;
  readonly version: string;
  readonly input: Json;
  readonly at: number;
  /** The events that start it. */
  readonly taken: readonly Taken[];
  /** Whether it is told of events. */
  readonly hears: boolean;
}

/** What a run is told by others, one after the other. */
export type Message =
  | {
      readonly kind: "event";
      readonly at: number;
      readonly inbox: string;
      readonly number: number;
      readonly isShared: boolean;
      readonly event: CloudEvent;
    }
  | { readonly kind: "lost"; readonly at: number; readonly inbox: string; readonly number: number }
  | { readonly kind: "claimed"; readonly at: number; readonly claim: number; readonly isGranted: boolean }
  | { readonly kind: "retry" | "end"; readonly at: number };

/** A run, where it is started. */
export interface NewRun {
  readonly id: string;
  readonly workflow: string;
  readonly version?: string;
  readonly input: Json;
}

/** An inbox of a run, as it begins. */
export interface Joining {
  readonly run: string;
  readonly inbox: string;
  readonly workflow: string;
  readonly version: string;
  readonly token: string;
}

/** A run uses events that others may use. */
export interface Claim {
  readonly run: string;
  readonly inbox: string;
  readonly claim: number;
  readonly numbers: readonly number[];
}

/** A run has heard of an event and does not use it now. */
export interface Heard {
  readonly run: string;
  readonly inbox: string;
  readonly number: number;
}

/** How a run is, as others see it. */
export interface Summary {
  readonly status: "running" | "waiting" | "succeeded" | "failed" | "cancelled";
  readonly updated: number;
  readonly events: readonly string[];
  readonly until?: number | undefined;
  readonly output?: Json | undefined;
  readonly error?: { readonly name: string; readonly message: string; readonly data?: Json | undefined } | undefined;
}

/** An event that a run has emitted and no sink has taken; with the reason where one has refused it. */
export interface Leaving {
  readonly event: CloudEvent;
  readonly at: number;
  readonly reason?: string | undefined;
}

/** How a run began, as it is kept. */
export interface Kept {
  readonly order: number;
  readonly workflow: string;
  readonly version: string;
  readonly at: number;
  readonly input: Json;
  readonly invocation: string;
}

/** The services of a program. */
export interface Names {
  readonly run: string;
  readonly book: string;
  readonly outbox: string;
}

/** The only key of the object that knows of all runs. */
export const bookKey = "all";

/** The name of the signal by which a run is told a message, and the key of that there: no step has such a one, as a `#` in the names of steps is doubled. */
export const messageKey = (n: number): string => `#m${n}`;

export const isMessageKey = (key: string): boolean => /^#m\d+$/.test(key);

/** The key of what sends the events of a run to a sink. */
export const outboxKey = (run: string, sink: string): string => `${outboxPrefix(run)}${JSON.stringify(sink)}]`;

/** Begins the keys of what sends the events of a run, and of no other. */
export const outboxPrefix = (run: string): string => `[${JSON.stringify(run)},`;
