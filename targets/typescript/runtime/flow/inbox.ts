import type { CloudEvent } from "../events.ts";
import type { Json } from "../json.ts";
import type { AnyWorkflow } from "../workflow.ts";
import type { Signal } from "./abort.ts";

// Superseded by `subscribe` and `receive` of `Host`. Deleted when no host has an inbox.

/** A host whose runs decide about events themselves. */
export interface InboxHost {
  wait?<T>(key: string, waiting: () => Promise<T> | T, signal: Signal, events: readonly string[]): Promise<T> | T;
  inbox?(key: string, workflow: AnyWorkflow, first: readonly CloudEvent[]): Inbox;
}

/** Events of a definition that a wait waits for. */
export interface Demand {
  readonly name: string;
  /** Any one is used as it comes: no condition has to hold for it, and nothing else has to come or must not. */
  readonly isSure: boolean;
}

/** The events that have come for a run and that it has not used, in order of arrival. */
export interface Inbox {
  readonly waiting: readonly CloudEvent[];
  /** The correlation value, once there is one. */
  token: Json | undefined;
  /** Puts back what a wait has not used, in place of all that was there. */
  replace(events: readonly CloudEvent[]): void;
  /**
   * Hears of every arrival until it is told to stop, before those behind its position; the event is in `waiting` by
   * then. `demands` are what the listener waits for: of the events that are for anybody only those come.
   */
  listen(listener: () => void, position: readonly number[], demands: readonly Demand[]): () => void;
  close(): void;
}
