import type { Expression } from "../expressions/index.ts";
import type { Json } from "../json.ts";
import type { Span } from "../text/source.ts";
import type { Type } from "../types/index.ts";
import type { Protocol } from "./protocols.ts";
import type { EventCombination } from "./workflow.ts";

/** A function that calls refer to. */
export interface FunctionDefinition {
  readonly name: string;
  /** Where the function lives, as the definition says it: an ARN, a URI, any text; targets say what they can use. */
  readonly resource?: string | undefined;
  /** How it is reached, where the definition says that in a way of its own. */
  readonly protocol?: Protocol | undefined;
  /** The definition's own word for the kind of function: informative. */
  readonly type?: string | undefined;
  readonly metadata?: Json | undefined;
  /** What it is trusted to answer: on that what is emitted relies. */
  readonly resultType?: Type | undefined;
  readonly span: Span;
}

/** An event that a workflow receives or emits. An arriving event is of a definition when it has all the attributes given here. */
export interface EventDefinition {
  readonly name: string;
  readonly type?: string | undefined;
  readonly source?: string | undefined;
  readonly subject?: string | undefined;
  /** Attribute values are compared case-insensitively. */
  readonly foldCase?: boolean | undefined;
  /**
   * What of the event must equal the run's correlation value: an expression over `$event` with at most one output.
   * An event for which it yields nothing does not match.
   */
  readonly correlation?: Expression | undefined;
  /** For emitted events: the context attribute that carries the run's correlation value. */
  readonly correlationAttribute?: string | undefined;
  readonly metadata?: Json | undefined;
  readonly span: Span;
}

/** How runs come to be. Without `on` only by being called; a workflow with `on` can be called too, and then waits like any other. */
export interface Start {
  /**
   * Events that start a run. A run is created `first`: by any event of any alternative (it then waits for the rest), or `complete`: when
   * all events of one alternative have come. They are in the run's inbox when its first `Receive` looks; the input is then `{}`.
   */
  readonly on?: readonly EventCombination[] | undefined;
  readonly create?: "first" | "complete" | undefined;
  /** With `complete`: the longest time between two arrivals, in seconds; when it passes, what has been collected is thrown away. */
  readonly gap?: number | undefined;
  /** When runs may start. Outside it, events start nothing; a call fails with `NotActive`; as a subflow the workflow completes with its input. */
  readonly window?: Window | undefined;
  readonly span: Span;
}

/** A stretch of time, in ISO 8601 instants (UTC): `from` inclusive, `until` exclusive; open where absent. */
export interface Window {
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}
