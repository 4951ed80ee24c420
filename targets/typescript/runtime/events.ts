import type { Json } from "./json.ts";

/** An event in the structured mode of CloudEvents 1.0. */
export type CloudEvent = {
  readonly specversion: string;
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject?: string | undefined;
  readonly time?: string | undefined;
  readonly data?: Json | undefined;
  /** Extension attributes. */
  readonly [attribute: string]: Json | undefined;
};

/** An event that a workflow receives or emits. It matches events that have all attributes given here. */
export interface EventDefinition {
  readonly type?: string;
  readonly source?: string;
  readonly subject?: string;
  /** Compares attributes without regard to case. */
  readonly foldCase?: boolean;
  /** The event's correlation value, which must equal that of the wait. An event without one does not match. */
  readonly correlation?: (event: CloudEvent) => Json | undefined;
  /** The name of the value: definitions with the same name share it. */
  readonly correlationKey?: string;
  /** The attribute for the correlation value of emitted events. */
  readonly correlationAttribute?: string;
}

/** Variables that a wait passes to its conditions. */
export interface WaitVariables {
  readonly [name: string]: Json | undefined;
}

/** Matches all events of a definition, or those for which a condition holds. */
export type Pattern =
  | string
  | {
      readonly event: string;
      /** Depends on nothing but its arguments. A method, so that it can narrow the type of its variables. */
      when(event: CloudEvent, variables: WaitVariables): boolean;
    };

/** A combination of events that ends a wait. */
export interface Alternative {
  /** Any pattern satisfies its group, by the earliest matching event. One event may satisfy several groups. */
  readonly all: readonly (readonly Pattern[])[];
  /** None of these may have arrived since the wait began. */
  readonly none?: readonly Pattern[];
  /** The alternative expires after this many seconds; by default, never. */
  readonly within?: number;
}

/** A wait of a workflow. The first alternative whose events have all arrived ends it. */
export interface Wait {
  readonly alternatives: readonly Alternative[];
  /** Discards the events that arrived during the wait and that it did not use; by default, later waits may use them. */
  readonly unused?: "drop";
}

/** Options of a wait that depend on the run. */
export interface ReceiveOptions {
  /** The variables of its conditions. */
  readonly variables?: WaitVariables;
  /**
   * Correlation values, by the name of the value. Null, objects and arrays count as absent; the run's value is used
   * then.
   */
  readonly correlation?: { readonly [key: string]: Json | undefined };
}

/** Options of an emitted event. */
export interface EmitOptions {
  /** Context attributes, further ones or instead of those of the definition and the generated ones. */
  readonly attributes?: { readonly [name: string]: Json };
  /** Its correlation value; by default, and if null, an object or an array, the run's. */
  readonly correlation?: Json | undefined;
}

/** An event and the name of the definition that it was received as. */
export type ReceivedEvent = {
  readonly name: string;
  readonly event: CloudEvent;
};

/** The result of a wait. */
export type Received = {
  /** The index of the alternative that ended the wait; null if all have expired. */
  readonly alternative: number | null;
  /** Its events in order of arrival, each once. */
  readonly events: readonly ReceivedEvent[];
  /** The event of each of its groups. */
  readonly groups: readonly ReceivedEvent[];
};
