import { type Json, type JsonObject, own } from "../../../../src/json.ts";
import { hasAttributes, type Taken } from "../../../../src/matching/matching.ts";
import { arrive, type Start as StartBy } from "../../../../src/matching/starting.ts";
import type { Arrival, Board } from "./board.ts";
import { createEvaluate, type Definitions, matcherOf, type Pattern, tokenOf } from "./matching.ts";

/** A flow that hears events. */
export interface Listener {
  /** The conductor's action. */
  readonly flow: string;
  readonly definitions: Definitions;
  /** Absent: events do not start it. */
  readonly start?: Start | undefined;
}

/** How events start runs. */
export interface Start extends StartBy<Pattern> {
  /** When runs may start, in ISO 8601 instants: `from` inclusive, `until` exclusive. */
  readonly window?: { readonly from?: string; readonly until?: string };
}

/** The events that may start a run together with others, by the flow, in the order in which they came. */
export interface Collecting {
  readonly [flow: string]: readonly Kept[];
}

/** An event that may start a run together with others: its key, the definition that it was taken as, and the text of its correlation value. */
export interface Kept {
  readonly key: string;
  readonly name: string;
  readonly token?: string;
}

/** What an event does to a flow that it may start: the events that start a run now, and those that wait for others. */
export interface Starting {
  readonly taken?: readonly Taken<JsonObject>[];
  readonly collected: readonly Kept[];
  /** The correlation value of the run, from the first event that has one. */
  readonly token?: Json | undefined;
}

/** Whose events are that a flow collects, and that have started a run of another. */
export const inboxOf = (flow: string): string => `collected by ${flow}`;

/** What comes of an event that nobody has taken, for a flow. */
export function startsBy({ flow, definitions, start }: Listener, board: Board, arrival: Arrival): Starting {
  const known = own(board.collected, flow) ?? [];
  if (!start || !isActive(start.window, arrival.at)) return { collected: known };
  const view = { definitions, variables: {}, evaluate: createEvaluate() };
  const isThere = ({ inbox }: Arrival) => inbox === undefined || inbox === inboxOf(flow);
  const there = new Map(board.events.filter(isThere).map((each) => [each.key, each]));
  const before = known.flatMap(({ key, ...kept }) => {
    const { event, at } = there.get(key) ?? {};
    return event && at !== undefined ? [{ ...kept, event, at }] : [];
  });
  const { collected, taken } = arrive(start, before, arrival.event, arrival.at, matcherOf(view));
  const keys = new Map([...there.values(), arrival].map(({ event, key }) => [event, key]));
  const kept = collected.map(({ name, token, event }) => ({
    key: keys.get(event)!,
    name,
    ...(token === undefined ? {} : { token }),
  }));
  if (!taken) return { collected: kept };
  const tokens = taken.map(({ name, event }) => tokenOf(name, event, view));
  return { collected: kept, taken, token: tokens.find((token) => token !== undefined) };
}

/** Whether a flow has a definition for an event: others need not be kept. */
export const hears = ({ definitions }: Listener, event: JsonObject): boolean =>
  Object.values(definitions).some((definition) => hasAttributes(event, definition));

function isActive(window: Start["window"], now: number): boolean {
  if (!window) return true;
  const { from, until } = window;
  return (from === undefined || Date.parse(from) <= now) && (until === undefined || now < Date.parse(until));
}
