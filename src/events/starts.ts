import type { JsonObject } from "../json.ts";
import { choose, type Matcher, matchPattern, type OrderedEvent, runSlot } from "./matching.ts";
import type { EventReference, StoredEvent } from "./partition.ts";
import type { EventPattern, StartRule } from "./rules.ts";

/** What an event does to a workflow that events start. */
export interface StartDecision {
  /** Whether the event is collected: it starts a run only together with others. */
  readonly isCollected: boolean;
  /** The events that start a run now, with the names of their definitions, in order of arrival. */
  readonly taken?: readonly EventReference[] | undefined;
}

const noStart: StartDecision = { isCollected: false };

/** No run has values or variables yet, so conditions do not apply. */
const unconditional: Matcher = { values: {}, bound: new Map() };

/** Whether runs of a workflow may start at an instant, in milliseconds since 1970. */
export const mayStartAt = ({ from = -Infinity, until = Infinity }: StartRule, at: number): boolean =>
  from <= at && at < until;

/** The first pattern of a start rule that an event matches. */
export const startPatternOf = ({ on }: StartRule, event: OrderedEvent): EventPattern | undefined =>
  on.flatMap(({ all }) => all.flat()).find((pattern) => matchPattern(pattern, event, unconditional) !== undefined);

/** Decides what an event that no wait has used does to a workflow, given the events collected for it. */
export function decideStart(start: StartRule, collected: readonly StoredEvent[], event: StoredEvent): StartDecision {
  const pattern = mayStartAt(start, event.at) ? startPatternOf(start, event) : undefined;
  if (!pattern) return noStart;
  if (!start.complete) return { isCollected: false, taken: [{ name: pattern.event.name, order: event.order }] };
  const choice = choose(start.on, () => true, timelyEvents(start, collected, event), unconditional);
  if (!choice) return { isCollected: true };
  const distinct = new Map(choice.groups.toReversed().map((group) => [group.order, group]));
  return { isCollected: !distinct.has(event.order), taken: [...distinct.values()].sort((a, b) => a.order - b.order) };
}

/** The events that may start a run together with a new one: no two arrivals in succession are too far apart. */
function timelyEvents(start: StartRule, collected: readonly StoredEvent[], event: StoredEvent): readonly StoredEvent[] {
  const { gap = Infinity } = start;
  const value = valueAtStart(start, event);
  const others = collected.filter((other) => isTogether(value, valueAtStart(start, other)));
  const together = [...others, event].sort((a, b) => a.order - b.order);
  const isLate = (at: number, i: number) => i > 0 && at - together[i - 1]!.at > gap * 1000;
  return together.slice(
    Math.max(
      0,
      together.findLastIndex(({ at }, i) => isLate(at, i)),
    ),
  );
}

/** Whether events may start a run together: as far as both have a correlation value, it is the same. */
const isTogether = (a: string | undefined, b: string | undefined): boolean =>
  a === undefined || b === undefined || a === b;

const values = new WeakMap<StartRule, WeakMap<JsonObject, { readonly value: string | undefined }>>();

function valueAtStart(start: StartRule, stored: StoredEvent): string | undefined {
  const known = values.get(start) ?? new WeakMap();
  values.set(start, known);
  const cached = known.get(stored.event);
  if (cached) return cached.value;
  const pattern = startPatternOf(start, stored);
  const value = pattern && matchPattern(pattern, stored, unconditional)?.get(runSlot);
  known.set(stored.event, { value });
  return value;
}
