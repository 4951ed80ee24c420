import type { Json } from "./json.ts";

/** An event, as CloudEvents 1.0 describes it in structured mode. */
export type CloudEvent = {
  readonly specversion: string;
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject?: string | undefined;
  readonly time?: string | undefined;
  readonly data?: Json | undefined;
  /** Further context attributes. */
  readonly [attribute: string]: Json | undefined;
};

/** An event that a workflow receives or emits. An event is of a definition when it has all the attributes given here. */
export interface EventDefinition {
  readonly type?: string;
  readonly source?: string;
  readonly subject?: string;
  /** Attributes are compared without regard to case. */
  readonly foldCase?: boolean;
  /** What of the event has to equal the run's correlation value; an event without it does not match. */
  readonly correlation?: (event: CloudEvent) => Json | undefined;
  /** The attribute of emitted events that carries the run's correlation value. */
  readonly correlationAttribute?: string;
}

/** An event that a wait takes: any of a definition, or those for which a condition holds. */
export type Pattern = string | { readonly event: string; readonly when: (event: CloudEvent) => boolean };

/** A combination of events that ends a wait. */
export interface Alternative {
  /** Of each group any pattern suffices; of several events the earliest counts; one event may serve several groups. */
  readonly all: readonly (readonly Pattern[])[];
  /** No event of these may have come since the wait began. */
  readonly none?: readonly Pattern[];
  /** Seconds after which this alternative is given up; absent: never. */
  readonly within?: number;
}

/** What a wait waits for: the first alternative all of whose events have come. */
export interface Wait {
  readonly alternatives: readonly Alternative[];
  /** What becomes of events that came during the wait and that the alternative taken does not use; absent: they are kept for later waits. */
  readonly unused?: "drop";
}

/** An event that a wait took, and the name of its definition. */
export type Taken = {
  readonly name: string;
  readonly event: CloudEvent;
};

/** What ended a wait: which alternative, or null when all were given up; its events in order of arrival, each once; the event of each of its groups. */
export type Received = {
  readonly alternative: number | null;
  readonly events: readonly Taken[];
  readonly groups: readonly Taken[];
};
