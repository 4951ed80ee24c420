import type { Json, JsonObject } from "../json.ts";

/**
 * The events and waits among which one decision is made: those of a group of workflows, or of one correlation value in
 * it. It is plain JSON; stores keep it as one document or one entry per item (see `changes.ts`).
 */
export interface Partition {
  /** The order of the next event. */
  readonly next: number;
  /** In order of arrival. */
  readonly events: readonly StoredEvent[];
  /** In the order of matching: the oldest run first, within a run by position. */
  readonly waits: readonly StoredWait[];
  readonly runs: { readonly [run: string]: RunRecord };
  /** The times at which known events arrived, by their keys. Stores may load only the entries that a command reads. */
  readonly seen: { readonly [key: string]: number };
  /** Open waits may be fulfilled by stored events: a `settle` command continues. Otherwise none is. */
  readonly isUnsettled?: true | undefined;
}

/** An event that some run may still use, or that an unconfirmed wait has used. */
export interface StoredEvent {
  readonly order: number;
  /** When it arrived, in milliseconds since 1970 (UTC). */
  readonly at: number;
  readonly key?: string | undefined;
  readonly event: JsonObject;
  /** Whether any wait may use it. */
  readonly isFree: boolean;
  /** Whether it has not been considered as a start of runs, since a wait used it. */
  readonly isNew?: true | undefined;
  /** The runs that it has started and that have not used it. */
  readonly runs?: readonly string[] | undefined;
  /** The waits that have used it and are not confirmed. */
  readonly users?: readonly string[] | undefined;
  /** The workflows that collect it to start a run together with others. */
  readonly collectedBy?: readonly string[] | undefined;
}

/** The use of an event by a wait. */
export interface EventUse {
  readonly order: number;
  /** Whether the wait's run was started by the event; otherwise the event was free. */
  readonly isOwn: boolean;
}

/** A wait: still open, or ended and not confirmed. */
export interface StoredWait {
  readonly id: string;
  /** The run, or a subflow in it, whose events these are. */
  readonly run: string;
  readonly step: string;
  /** The age of the run, such as the time when it began: runs with smaller numbers come first. */
  readonly age: readonly number[];
  /** Indexes of the branches and iterations around the step, outermost first. */
  readonly position: readonly number[];
  /** Events that arrived earlier, in milliseconds since 1970 (UTC), are not for this run. */
  readonly since: number;
  /** Only events behind this order arrived since the run began, if its record does not contain that. */
  readonly after?: number | undefined;
  /** When the wait began. */
  readonly at: number;
  readonly variables: JsonObject;
  /** The values of correlation keys that the wait began with; other keys are bound by the first event. */
  readonly values?: { readonly [key: string]: Json } | undefined;
  readonly end?: WaitEnd | undefined;
  /** With `unused: drop`: the events that are discarded, unless the end is released. */
  readonly dropped?: DroppedEvents | undefined;
  /** The wait is over for its run; the entry remains until its dropped events are deleted. */
  readonly isConfirmed?: true | undefined;
  /** The run no longer waits, but may still discard events. */
  readonly isClosed?: true | undefined;
  /** Data of the store, such as a task token. */
  readonly data?: Json | undefined;
}

/** Unused events that a wait discards: those for its run that arrived until it ended. */
export interface DroppedEvents {
  /** Up to this order. */
  readonly last: number;
  /** Behind this order; undefined: decided by `since`. */
  readonly after?: number | undefined;
  /** The correlation values of the run by then, by key. */
  readonly values: { readonly [key: string]: Json };
}

/** How a wait ended. Events are stored once, and referred to by their order. */
export interface WaitEnd {
  readonly at: number;
  /** Null: all alternatives timed out. */
  readonly alternative: number | null;
  /** The event of each group, with the name of its definition. */
  readonly groups: readonly EventReference[];
  readonly uses: readonly EventUse[];
  /** The error of a condition. */
  readonly error?: Json | undefined;
  /** The correlation value that the run has from these events. */
  readonly value?: Json | undefined;
}

/** What is known of a run. */
export interface RunRecord {
  /** Its correlation value: given at its start or bound by an event. */
  readonly value?: Json | undefined;
  /** Values that unconfirmed waits have bound. */
  readonly bound?: ValueBindings | undefined;
  /** Only events behind this order arrived since it began; undefined: decided by time. */
  readonly after?: number | undefined;
  /** Events start it; until it joins or waits, the start is repeated after a crash. */
  readonly start?: PendingStart | undefined;
}

/** Values that a run has as long as the events with them are not released. */
export interface ValueBindings {
  /** The value without them. */
  readonly base?: Json | undefined;
  /** In the order of the waits' ends: the last one counts. */
  readonly by: readonly { readonly wait: string; readonly value: Json }[];
}

/** The start of a run by events, which are stored once and referred to by their order. */
export interface PendingStart {
  readonly workflow: string;
  readonly at: number;
  readonly events: readonly EventReference[];
}

/** A stored event and the name of the definition that it is received as. */
export interface EventReference {
  readonly name: string;
  readonly order: number;
}

/** An event and the name of the definition that it was received as. */
export interface ReceivedEvent {
  readonly name: string;
  readonly event: JsonObject;
}

/** What a run continues with. */
export interface Answer {
  /** Null: all alternatives timed out. */
  readonly alternative: number | null;
  /** In order of arrival, each once. */
  readonly events: readonly ReceivedEvent[];
  readonly groups: readonly ReceivedEvent[];
  /** The run's correlation value, if events have bound it. */
  readonly value?: Json | undefined;
  /** The error of a condition; nothing was received then. */
  readonly error?: Json | undefined;
}

/** A partition without events and waits. */
export const emptyPartition: Partition = { next: 1, events: [], waits: [], runs: {}, seen: {} };

/** The answer of a wait that has ended. */
export function answerOf(partition: Partition, { end }: StoredWait): Answer {
  if (!end) throw new Error("The wait has not ended.");
  const distinct = new Map(end.groups.toReversed().map((group) => [group.order, group]));
  const events = [...distinct.values()].sort((a, b) => a.order - b.order);
  return {
    alternative: end.alternative,
    events: receivedEvents(events, partition),
    groups: receivedEvents(end.groups, partition),
    ...(end.value !== undefined && { value: end.value }),
    ...(end.error !== undefined && { error: end.error }),
  };
}

/** The events that references refer to. */
export const receivedEvents = (references: readonly EventReference[], partition: Partition): readonly ReceivedEvent[] =>
  references.map(({ name, order }) => ({ name, event: eventAt(order, partition)!.event }));

/** The event with an order. */
export function eventAt(order: number, { events }: Pick<Partition, "events">): StoredEvent | undefined {
  const event = events[firstIndexFrom(order, events)];
  return event?.order === order ? event : undefined;
}

/** The index of the first event with at least an order. */
export function firstIndexFrom(order: number, events: readonly StoredEvent[]): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (events[middle]!.order < order) low = middle + 1;
    else high = middle;
  }
  return low;
}
