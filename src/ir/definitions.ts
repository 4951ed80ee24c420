import type { Expression } from "../expressions/index.ts";
import type { Json } from "../json.ts";
import type { Span } from "../text/source.ts";
import type { Type } from "../types/index.ts";
import type { Protocol } from "./protocols.ts";
import type { EventCombination } from "./workflow.ts";

/** A function that calls refer to. */
export interface FunctionDefinition {
  readonly name: string;
  /** An ARN, a URI, or any string. Targets check what they can use. */
  readonly resource?: string | undefined;
  readonly protocol?: Protocol | undefined;
  /** Informative. */
  readonly type?: string | undefined;
  readonly metadata?: Json | undefined;
  /** Emitted code relies on it. */
  readonly resultType?: Type | undefined;
  readonly span: Span;
}

/** An event that a workflow receives or emits. A received event matches if it has all given attributes. */
export interface EventDefinition {
  readonly name: string;
  readonly type?: string | undefined;
  readonly source?: string | undefined;
  readonly subject?: string | undefined;
  /** Whether attribute values are compared case-insensitively. */
  readonly foldCase?: boolean | undefined;
  /**
   * Yields the event's correlation value, over `$event`. It must equal that of the run; an event without one does not
   * match.
   */
  readonly correlation?: Expression | undefined;
  /** The context attribute for the correlation value of emitted events. */
  readonly correlationAttribute?: string | undefined;
  readonly metadata?: Json | undefined;
  readonly span: Span;
}

/** How runs start. Without `on`, only by a call. A run that is called waits for events like any other. */
export interface Start {
  /**
   * Events that start a run: with `create: first` any event of any combination, after which the run waits for the rest;
   * with `complete` all events of a combination. The events are in the inbox of the run, and its input is `{}`.
   */
  readonly on?: readonly EventCombination[] | undefined;
  readonly create?: "first" | "complete" | undefined;
  /** The maximum seconds between two arrivals for `complete`; then the collected events are discarded. */
  readonly gap?: number | undefined;
  /**
   * When runs may start. Outside it, events are ignored, a call fails with `NotActive`, and a subflow completes with
   * its input.
   */
  readonly window?: Window | undefined;
  readonly span: Span;
}

/** A period between ISO 8601 instants (UTC): `from` inclusive, `until` exclusive, either optional. */
export interface Window {
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}
