import type { Json } from "../../../src/json.ts";
import { type Found, fulfilled, inOrder, matches, tokenOf, tokenText } from "./matching.ts";
import type { Alternative, Arrival, Definition, Space, Start } from "./model.ts";

/**
 * What an event that nobody waits for starts: a run of that name, whose events are then its own; or nothing, and where it takes several events to start a
 * run, it is kept for the others.
 */
export function startedBy(space: Space, arrival: Arrival, name: string, run: string, definition: Definition): Space {
  const { start } = definition;
  const first = start && isOpen(start, arrival) ? startingName(arrival, start.on, definition) : undefined;
  if (first === undefined) return space;
  if (!start!.complete) return begun(space, [{ name: first, arrival }], name, run, definition);
  const token = tokenOf(definition.events.get(first)!, arrival.event);
  const collected: Arrival = { ...arrival, collected: { name: first, ...(token === undefined ? {} : { token }) } };
  const others = timely(space, collected, start!.gap);
  const events = [...others.filter((each) => each !== arrival), collected];
  const partners = events.filter((each) => together(each, collected));
  for (const alternative of start!.on) {
    const groups = fulfilled(plain(alternative), partners, { definition, token: undefined, variables: {} });
    if (groups) return begun({ ...space, events }, inOrder(groups, partners), name, run, definition);
  }
  return { ...space, events };
}

/** Whether runs may begin when an event comes. */
const isOpen = (
  { from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY }: Start,
  { at }: Arrival,
): boolean => from <= at && at < until;

/** The name of the definition by which an event starts a run, alone or with others. */
function startingName(
  { event }: Arrival,
  alternatives: readonly Alternative[],
  definition: Definition,
): string | undefined {
  const patterns = alternatives.flatMap((each) => plain(each).all.flat());
  return patterns.find((pattern) => matches(pattern, event, { definition, token: undefined, variables: {} }))?.event;
}

/** An alternative without conditions: there are no variables before a run. */
const plain = ({ all, none }: Alternative): Alternative => ({
  all: all.map((group) => group.map(({ event }) => ({ event }))),
  none: none.map(({ event }) => ({ event })),
});

/** A run begins: its events are its own, the last of them is the last that came before it, and the first that has a correlation value gives it that. */
function begun(
  space: Space,
  used: readonly Found[],
  name: string,
  run: string,
  { events: definitions }: Definition,
): Space {
  const own = new Set(used.map(({ arrival }) => arrival));
  const token = used.reduce<Json | undefined>(
    (known, each) => known ?? tokenOf(definitions.get(each.name)!, each.arrival.event),
    undefined,
  );
  const events = space.events.map((each): Arrival => {
    if (!own.has(each)) return each;
    const { order, at, event } = each;
    return { order, at, event, run };
  });
  const known = { after: space.next - 1, ...(token === undefined ? {} : { token }) };
  return { ...space, events, starts: [...space.starts, { name }], runs: new Map([...space.runs, [run, known]]) };
}

/** What came before, without what has waited too long for an event to go with: that starts nothing any more. */
function timely({ events }: Space, arrival: Arrival, gap: number | undefined): readonly Arrival[] {
  const partners = events.filter((other) => together(other, arrival));
  const last = partners.at(-1);
  if (gap === undefined || !last || arrival.at - last.at <= gap * 1000) return events;
  return events.map((each) => (partners.includes(each) ? { order: each.order, at: each.at, event: each.event } : each));
}

/** Whether two events may start a run together. */
const together = (a: Arrival, b: Arrival): boolean =>
  a.collected !== undefined &&
  b.collected !== undefined &&
  (a.collected.token === undefined ||
    b.collected.token === undefined ||
    tokenText(a.collected.token) === tokenText(b.collected.token));
