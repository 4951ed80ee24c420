import type { Expression } from "../expressions/index.ts";
import type { Json } from "../json.ts";
import type { Span } from "../text/source.ts";
import type { Type } from "../types/index.ts";
import type { Protocol } from "./protocols.ts";
import type { EventCombination } from "./workflow.ts";

/** A function that calls refer to. */
export interface FunctionDefinition {
  readonly name: string;
  readonly resource?: string | undefined;
  readonly protocol?: Protocol | undefined;
  readonly type?: string | undefined;
  /** The kind of the step that calls it. It can be bound, and given results, under this name too. */
  readonly stepKind?: string | undefined;
  readonly metadata?: Json | undefined;
  /** Emitted code relies on it. */
  readonly resultType?: Type | undefined;
  /** Arguments are checked against it. */
  readonly parameterType?: ParameterType | undefined;
  readonly span: Span;
}

/** The type of a function's argument, and the name of the function where it is declared. */
export interface ParameterType {
  readonly type: Type;
  readonly span: Span;
}

/**
 * The name under which `has` knows a function: its own or, unless another function of the workflow is named so, the kind of the
 * step that calls it.
 */
export function knownName(
  { name, stepKind }: FunctionDefinition,
  functions: readonly FunctionDefinition[],
  has: (name: string) => boolean,
): string | undefined {
  if (has(name)) return name;
  if (stepKind === undefined || !has(stepKind)) return undefined;
  return functions.some((each) => each.name === stepKind) ? undefined : stepKind;
}

/** An event that a workflow receives or emits. It matches with all given attributes. */
export interface EventDefinition {
  readonly name: string;
  readonly type?: string | undefined;
  readonly source?: string | undefined;
  readonly subject?: string | undefined;
  readonly foldCase?: boolean | undefined;
  /** The correlation value, over `$event`; it must equal that of the wait. */
  readonly correlation?: Expression | undefined;
  /** The name under which a wait gives its own value for `correlation`. Definitions without share one unnamed key. */
  readonly correlationKey?: string | undefined;
  /** The attribute for the correlation value of emitted events. */
  readonly correlationAttribute?: string | undefined;
  /** The type of the data of received events. Emitted code relies on it. */
  readonly dataType?: Type | undefined;
  readonly metadata?: Json | undefined;
  readonly span: Span;
}

/** How runs start; without `on`, only by a call. A called run waits for events like any other. */
export interface Start {
  /**
   * With `create: first`, any event of any combination starts a run, which then waits for the rest; with `complete`,
   * all events of a combination. They are in the run's inbox, and its input is `{}`.
   */
  readonly on?: readonly EventCombination[] | undefined;
  readonly create?: "first" | "complete" | undefined;
  /** The maximum seconds between two arrivals for `complete`; then the collected events are discarded. */
  readonly gap?: number | undefined;
  /** Outside it, events are ignored, a call fails with `NotActive`, and a subflow completes with its input. */
  readonly window?: Window | undefined;
  /** Each creates runs with the input `{}`. */
  readonly timers?: readonly Timer[] | undefined;
  readonly span: Span;
}

/** A timer that creates runs, also while others are active. */
export type Timer = PeriodicTimer | CronTimer | FollowingTimer;

/**
 * Fires each `seconds`: after the deployment or, with `from`, from that instant on. It ends with the instant `until` or
 * after `times` firings.
 */
export interface PeriodicTimer {
  readonly kind: "every";
  readonly seconds: number;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly times?: number | undefined;
  readonly span: Span;
}

/** Fires at the instants of a cron expression (`text/cron.ts`) in an IANA time zone, UTC by default. */
export interface CronTimer {
  readonly kind: "cron";
  readonly expression: string;
  readonly timezone?: string | undefined;
  readonly until?: string | undefined;
  readonly span: Span;
}

/** Fires at the deployment, then `seconds` after the run that it created has ended, however that ended. */
export interface FollowingTimer {
  readonly kind: "after";
  readonly seconds: number;
  readonly span: Span;
}

/** A period of ISO 8601 instants (UTC): `from` inclusive, `until` exclusive. */
export interface Window {
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}
