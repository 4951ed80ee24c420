import { type Json, type JsonObject, own } from "../json.ts";

/** The attributes that an event needs to match a definition; undefined ones are not compared. */
export interface Attributes {
  readonly type?: string | undefined;
  readonly source?: string | undefined;
  readonly subject?: string | undefined;
  /** Compares attributes without regard to case. */
  readonly foldCase?: boolean | undefined;
}

/** A correlation key of a definition. */
export interface CorrelationKey {
  /** Definitions whose keys have the same name are compared by the same value. */
  readonly name: string;
  /**
   * `run`: an event binds the value for the rest of the run. `wait`: for the wait that receives it, as in Serverless
   * Workflow 1.0's `correlate`.
   */
  readonly scope: "run" | "wait";
  /** The event's value; undefined or null if it has none: it then never matches. */
  valueOf(event: JsonObject): Json | undefined;
}

/** How events of a definition are recognized. */
export interface EventRule extends Attributes {
  /** The definition's name in answers. */
  readonly name: string;
  readonly keys: readonly CorrelationKey[];
}

/** An event of a definition for which a condition holds. */
export interface EventPattern {
  readonly event: EventRule;
  /** Sees the wait's variables. May throw, which ends the wait with that error. */
  readonly when?: ((event: JsonObject, variables: JsonObject) => boolean) | undefined;
}

/** A combination of events that ends a wait or starts a run. */
export interface Alternative {
  /** Any pattern satisfies its group, by the earliest matching event. One event may satisfy several groups. */
  readonly all: readonly (readonly EventPattern[])[];
  /** No event that matches one of these may have arrived. */
  readonly none: readonly EventPattern[];
  /** In seconds from the beginning of the wait; undefined: no limit. */
  readonly within?: number | undefined;
}

/** What a step waits for: the first alternative that is fulfilled. */
export interface WaitRule {
  readonly alternatives: readonly Alternative[];
  /** Whether events that arrived until the wait ended and that it does not use stay available. */
  readonly unused: "keep" | "drop";
  /** All definitions of the workflow: with `drop`, events that match none of them are not affected. */
  readonly events: readonly EventRule[];
}

/** How events start runs of a workflow. Conditions of patterns are ignored: no run has variables yet. */
export interface StartRule {
  readonly workflow: string;
  readonly on: readonly Alternative[];
  /** A run needs all events of an alternative; otherwise any event of one. */
  readonly complete: boolean;
  /** With `complete`: the maximum seconds between two arrivals; then the collected events are discarded. */
  readonly gap?: number | undefined;
  /** Milliseconds since 1970 (UTC): `from` inclusive, `until` exclusive. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/** What the broker knows statically: the program's waits and starts. */
export interface Rules {
  /** The rule of a wait's step; undefined if this program does not contain it: the wait then keeps waiting. */
  waitRule(wait: { readonly step: string }): WaitRule | undefined;
  readonly starts: readonly StartRule[];
  /** The id of the run that an event would start now, of several the last; undefined if no run can start. */
  newRun(start: StartRule, event: { readonly key?: string | undefined; readonly order: number }): string | undefined;
  /** What a wait ends with when a condition throws. */
  failure(thrown: unknown, wait: { readonly step: string }): Json;
}

/**
 * The string by which correlation values are compared; null for no value. A number or boolean equals its text, since
 * attributes of CloudEvents become strings in headers.
 */
export function correlationText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return JSON.stringify(typeof value === "object" ? value : String(value), sortMembers);
}

const sortMembers = (_: string, part: unknown): unknown =>
  typeof part === "object" && part !== null && !Array.isArray(part)
    ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
    : part;

/** Whether an event has the attributes that a definition requires. */
export function hasAttributes(event: { readonly [name: string]: unknown }, definition: Attributes): boolean {
  const { type, source, subject, foldCase = false } = definition;
  return (
    (type === undefined || isEqual(own(event, "type"), type, foldCase)) &&
    (source === undefined || isEqual(own(event, "source"), source, foldCase)) &&
    (subject === undefined || isEqual(own(event, "subject"), subject, foldCase))
  );
}

const isEqual = (actual: unknown, required: string, foldCase: boolean): boolean =>
  actual === required || (foldCase && String(actual).toLowerCase() === required.toLowerCase());

/** The key by which two deliveries of one event are recognized; undefined for an event without id. */
export function eventKey(event: JsonObject): string | undefined {
  const [source, id] = (["source", "id"] as const).map((name) =>
    Object.hasOwn(event, name) ? event[name] : undefined,
  );
  return id === undefined || id === null ? undefined : JSON.stringify([source ?? null, id]);
}
