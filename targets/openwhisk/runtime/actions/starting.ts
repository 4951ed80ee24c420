import { type Json, type JsonObject, own } from "../../../../src/json.ts";
import type { Arrival, Board } from "./board.ts";
import {
  type Alternative,
  createEvaluate,
  type Definitions,
  fulfilled,
  inOrder,
  isOf,
  isSameToken,
  type Matcher,
  matches,
  type Pattern,
  type Taken,
  tokenOf,
} from "./matching.ts";

/** A flow that hears events. */
export interface Listener {
  /** The conductor's action. */
  readonly flow: string;
  readonly definitions: Definitions;
  /** Absent: events do not start it. */
  readonly start?: Start | undefined;
}

/** How events start runs. */
export interface Start {
  readonly alternatives: readonly Alternative[];
  /** A run begins when all events of an alternative have come; absent: with the first. */
  readonly complete?: boolean;
  /** With `complete`: the longest time between two arrivals. */
  readonly gapMs?: number;
  /** When runs may start, in ISO 8601 instants: `from` inclusive, `until` exclusive. */
  readonly window?: { readonly from?: string; readonly until?: string };
}

/** The keys of the events that may start a run together with others, by the flow, in the order in which they came. */
export interface Collecting {
  readonly [flow: string]: readonly string[];
}

/** What an event does to a flow that it may start: the events that start a run now, and those that wait for others. */
export interface Starting {
  readonly taken?: readonly Taken[];
  readonly collected?: readonly string[];
  /** The correlation value of the run, from the first event that has one. */
  readonly token?: Json | undefined;
}

/** What comes of an event that nobody has taken, for a flow. */
export function startsBy({ flow, definitions, start }: Listener, board: Board, arrival: Arrival): Starting {
  const matcher: Matcher = { definitions, variables: {}, token: undefined, evaluate: createEvaluate() };
  if (!start || !isActive(start.window, arrival.at)) return {};
  const begun = { ...start, alternatives: start.alternatives.map(unconditional) };
  const pattern = patternsOf(begun).find((each) => matches(each, arrival.event, matcher));
  if (!pattern) return {};
  if (!start.complete) return withToken([{ name: pattern.event, event: arrival.event }], matcher);
  const keys = own(board.collected, flow) ?? [];
  const before = board.events.filter(({ key, inbox }) => keys.includes(key) && inbox === undefined);
  return completed(begun, before, arrival, matcher);
}

/** Whether a flow has a definition for an event: others need not be kept. */
export const hears = ({ definitions }: Listener, event: JsonObject): boolean =>
  Object.values(definitions).some((definition) => isOf(definition, event));

/** The events that start a flow are of a definition; what else is asked of them is asked by the first wait. */
const unconditional = ({ all, none = [] }: Alternative): Alternative => ({
  all: all.map((group) => group.map(({ event }) => ({ event }))),
  none: none.map(({ event }) => ({ event })),
});

const patternsOf = ({ alternatives }: Start): readonly Pattern[] => alternatives.flatMap(({ all }) => all.flat());

/** The run that is complete by an event, if one is; else who waits on, without what has waited too long for an event to go with. */
function completed(start: Start, before: readonly Arrival[], arrival: Arrival, matcher: Matcher): Starting {
  const goesWith = (other: Arrival) => together(other, arrival, patternsOf(start), matcher);
  const last = before.findLast(goesWith);
  const isLate = start.gapMs !== undefined && last !== undefined && arrival.at - last.at > start.gapMs;
  const collected = [...(isLate ? before.filter((other) => !goesWith(other)) : before), arrival];
  const events = collected.filter((other) => other === arrival || goesWith(other)).map(({ event }) => event);
  for (const alternative of start.alternatives) {
    const groups = fulfilled(alternative, events, matcher);
    if (!groups) continue;
    const taken = inOrder(groups, events);
    const left = collected.filter(({ event }) => !taken.some((used) => used.event === event));
    return { ...withToken(taken, matcher), collected: left.map(({ key }) => key) };
  }
  return { collected: collected.map(({ key }) => key) };
}

const withToken = (taken: readonly Taken[], matcher: Matcher): Starting => ({
  taken,
  token: taken.map(({ name, event }) => tokenOf(name, event, matcher)).find((token) => token !== undefined),
});

/** Whether two events may start a run together: they have the same correlation value, as far as they have one. */
function together(a: Arrival, b: Arrival, patterns: readonly Pattern[], matcher: Matcher): boolean {
  const token = ({ event }: Arrival) => {
    const pattern = patterns.find((each) => matches(each, event, matcher));
    return pattern && tokenOf(pattern.event, event, matcher);
  };
  const [one, other] = [token(a), token(b)];
  return one === undefined || other === undefined || isSameToken(one, other);
}

function isActive(window: Start["window"], now: number): boolean {
  if (!window) return true;
  const { from, until } = window;
  return (from === undefined || Date.parse(from) <= now) && (until === undefined || now < Date.parse(until));
}
