import { arrive, type Collected, type Taken } from "../../../src/matching/index.ts";
import { matcherOf, tokenFrom } from "./matching.ts";
import type { Arrival, Definition, Space, Start } from "./model.ts";

/**
 * What an event that nobody waits for starts: a run of that name, whose events are then its own; or nothing, and where it takes several events to start a
 * run, it is kept for the others.
 */
export function startedBy(space: Space, arrival: Arrival, name: string, run: string, definition: Definition): Space {
  const { start } = definition;
  if (!start || !isOpen(start, arrival)) return space;
  const before = space.events.flatMap((each) => collectedOf(each) ?? []);
  const { collected, taken } = arrive(start, before, arrival, arrival.at, matcherOf(definition));
  const kept = new Map(collected.map((each) => [each.event, each]));
  const events = space.events.map((each) => withCollected(each, kept.get(each)));
  return taken ? begun({ ...space, events }, taken, name, run, definition) : { ...space, events };
}

/** Whether runs may begin when an event comes. */
const isOpen = (
  { from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY }: Start,
  { at }: Arrival,
): boolean => from <= at && at < until;

const collectedOf = (arrival: Arrival): Collected<Arrival> | undefined =>
  arrival.collected && { ...arrival.collected, event: arrival, at: arrival.at };

/** An event as it is kept: waiting for others to start a run with, or not any more. */
function withCollected(arrival: Arrival, collected: Collected<Arrival> | undefined): Arrival {
  if (collected && arrival.collected) return arrival;
  const { collected: _, ...rest } = arrival;
  if (!collected) return arrival.collected ? rest : arrival;
  const { name, token } = collected;
  return { ...rest, collected: { name, ...(token === undefined ? {} : { token }) } };
}

/** A run begins: its events are its own, the last of them is the last that came before it, and the first that has a correlation value gives it that. */
function begun(
  space: Space,
  taken: readonly Taken<Arrival>[],
  name: string,
  run: string,
  definition: Definition,
): Space {
  const own = new Set(taken.map(({ event }) => event.order));
  const token = tokenFrom(taken, definition);
  const events = space.events.map((each): Arrival => (own.has(each.order) ? { ...each, run } : each));
  const known = { after: space.next - 1, ...(token === undefined ? {} : { token }) };
  return { ...space, events, starts: [...space.starts, { name }], runs: new Map([...space.runs, [run, known]]) };
}
