import { type Alternative, fulfilled, inOrder, type Matcher, matches, type Taken } from "./matching.ts";

/** How events start runs. Conditions of patterns are not asked for: there is nothing before a run that they could look at. */
export interface Start<Pattern> {
  readonly on: readonly Alternative<Pattern>[];
  /** A run begins when all events of an alternative have come; else with the first of any. */
  readonly complete?: boolean | undefined;
  /** With `complete`: the longest time between two arrivals, in seconds. */
  readonly gap?: number | undefined;
}

/** An event that may help to start a run, and when it came, in milliseconds since 1970. */
export interface Collected<Event> extends Taken<Event> {
  readonly at: number;
  /** The text of its correlation value. */
  readonly token?: string | undefined;
}

/** What an event does to runs that may start: those that wait for others to start one with, and the events that start one now, in order of arrival. */
export interface Starting<Event> {
  readonly collected: readonly Collected<Event>[];
  readonly taken?: readonly Taken<Event>[];
}

/** What comes of an event that nobody else takes, after those that came `before` and have started nothing yet. */
export function arrive<Pattern, Event>(
  start: Start<Pattern>,
  before: readonly Collected<Event>[],
  event: Event,
  at: number,
  look: Matcher<Pattern, Event>,
): Starting<Event> {
  const matcher: Matcher<Pattern, Event> = { ...look, holds: () => true };
  const patterns = start.on.flatMap(({ all }) => all.flat());
  const pattern = patterns.find((candidate) => matches(candidate, event, undefined, matcher));
  if (pattern === undefined) return { collected: before };
  const name = matcher.nameOf(pattern);
  if (!start.complete) return { collected: before, taken: [{ name, event }] };
  const arrival: Collected<Event> = { name, event, at, token: matcher.tokenOf(name, event) ?? undefined };
  return completed(start, [...timely(start, before, arrival), arrival], arrival, matcher);
}

function completed<Pattern, Event>(
  { on }: Start<Pattern>,
  collected: readonly Collected<Event>[],
  arrival: Collected<Event>,
  matcher: Matcher<Pattern, Event>,
): Starting<Event> {
  const events = collected.filter((other) => together(other, arrival)).map((other) => other.event);
  for (const alternative of on) {
    const groups = fulfilled(alternative, events, undefined, matcher);
    if (!groups) continue;
    const taken = inOrder(groups, events);
    const used = new Set(taken.map((each) => each.event));
    return { collected: collected.filter((each) => !used.has(each.event)), taken };
  }
  return { collected };
}

/** What came before, without what has waited too long for an event to go with: that starts nothing any more. */
function timely<Event>(
  { gap }: Start<unknown>,
  before: readonly Collected<Event>[],
  arrival: Collected<Event>,
): readonly Collected<Event>[] {
  const last = before.findLast((other) => together(other, arrival));
  const isLate = gap !== undefined && last !== undefined && arrival.at - last.at > gap * 1000;
  return isLate ? before.filter((other) => !together(other, arrival)) : before;
}

/** Whether two events may start a run together: they have the same correlation value, as far as they have one. */
const together = (a: Collected<unknown>, b: Collected<unknown>): boolean =>
  a.token === undefined || b.token === undefined || a.token === b.token;
