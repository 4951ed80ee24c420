import type { Json, JsonObject } from "../json.ts";
import type { EventReference } from "./partition.ts";
import { type Alternative, correlationText, type EventPattern, type EventRule, hasAttributes } from "./rules.ts";

/** An event with its order in the partition. */
export interface OrderedEvent {
  readonly order: number;
  readonly event: JsonObject;
}

/** Correlation values as strings, by the slot of their key (see `slotOf`). */
export type BoundValues = ReadonlyMap<string, string>;

/** What of the events fulfills an alternative: the event of each group, up to the order of the last one. */
export interface Choice {
  readonly alternative: number;
  readonly groups: readonly EventReference[];
  readonly last: number;
}

/** The slot for the value of a run; keys of a wait have their own names as slots. */
export const runSlot = "";

/** Keys of one slot are bound to the same value. */
export const slotOf = ({ name, scope }: { readonly name: string; readonly scope: "run" | "wait" }): string =>
  scope === "run" ? runSlot : `wait ${name}`;

/** How a wait compares events: with its variables and the values that it began with, by key. */
export interface Matcher {
  readonly variables: JsonObject;
  readonly values: { readonly [key: string]: string };
  readonly bound: BoundValues;
  /** Whether conditions are ignored. */
  readonly isUnconditional?: boolean | undefined;
}

/**
 * The values by slot that an event has for those keys of a definition that the wait began without, or undefined if it
 * does not match the definition under the values known so far.
 */
export function matchKeys(
  { keys }: Pick<EventRule, "keys">,
  event: JsonObject,
  { values }: Pick<Matcher, "values">,
  bound: BoundValues,
): BoundValues | undefined {
  const own = new Map<string, string>();
  for (const key of keys) {
    const text = correlationText(key.valueOf(event));
    if (text === null) return undefined;
    const slot = slotOf(key);
    const isKnown = Object.hasOwn(values, key.name);
    const expected = isKnown ? values[key.name] : (bound.get(slot) ?? own.get(slot));
    if (expected !== undefined && expected !== text) return undefined;
    if (!isKnown) own.set(slot, text);
  }
  return own;
}

/** Whether an event has the attributes of a pattern's definition and satisfies its condition, and its values by slot. */
export function matchPattern(pattern: EventPattern, event: JsonObject, matcher: Matcher): BoundValues | undefined {
  if (!hasAttributes(event, pattern.event)) return undefined;
  const own = matchKeys(pattern.event, event, matcher, matcher.bound);
  if (!own || !pattern.when || matcher.isUnconditional) return own;
  return pattern.when(event, matcher.variables) ? own : undefined;
}

/**
 * Remembers which events match which patterns, so that a condition is evaluated once for an event. Values bound while
 * an alternative is matched are compared separately.
 */
export class Matches {
  readonly #matcher: Matcher;
  readonly #known = new Map<EventPattern, Map<number, BoundValues | undefined>>();

  constructor(matcher: Matcher) {
    this.#matcher = matcher;
  }

  /** The event's values by slot if it matches the pattern. Throws what the pattern's condition throws. */
  of(pattern: EventPattern, { order, event }: OrderedEvent): BoundValues | undefined {
    let known = this.#known.get(pattern);
    if (!known) {
      known = new Map();
      this.#known.set(pattern, known);
    }
    if (known.has(order)) return known.get(order);
    if (!hasAttributes(event, pattern.event)) return undefined;
    const own = matchPattern(pattern, event, this.#matcher);
    known.set(order, own);
    return own;
  }

  get bound(): BoundValues {
    return this.#matcher.bound;
  }
}

/**
 * The first alternative that the events fulfill when they are examined one by one in their order; of several that one
 * event fulfills, the first. `events` are sorted by order.
 */
export function choose(
  alternatives: readonly Alternative[],
  isOpen: (alternative: Alternative) => boolean,
  events: readonly OrderedEvent[],
  matches: Matches,
): Choice | undefined {
  let best: Choice | undefined;
  for (const [alternative, each] of alternatives.entries()) {
    if (!isOpen(each)) continue;
    const groups = matchGroups(each, events, matches);
    if (!groups) continue;
    const last = groups.reduce((latest, { order }) => Math.max(latest, order), 0);
    if (best && best.last <= last) continue;
    if (!isExcluded(each, events, last, matches)) best = { alternative, groups, last };
  }
  return best;
}

/** The earliest event of each group. The first event with a value binds it for the groups behind it. */
function matchGroups(
  { all }: Alternative,
  events: readonly OrderedEvent[],
  matches: Matches,
): Choice["groups"] | undefined {
  const groups: EventReference[] = [];
  const bound = new Map(matches.bound);
  for (const group of all) {
    const found = firstOf(group, events, bound, matches);
    if (!found) return undefined;
    for (const [slot, text] of found.values) if (!bound.has(slot)) bound.set(slot, text);
    groups.push({ name: found.name, order: found.order });
  }
  return groups;
}

function firstOf(
  group: readonly EventPattern[],
  events: readonly OrderedEvent[],
  bound: BoundValues,
  matches: Matches,
): { readonly name: string; readonly order: number; readonly values: BoundValues } | undefined {
  for (const event of events)
    for (const pattern of group) {
      const values = matches.of(pattern, event);
      if (values && agrees(values, bound)) return { name: pattern.event.name, order: event.order, values };
    }
  return undefined;
}

const agrees = (values: BoundValues, bound: BoundValues): boolean => {
  for (const [slot, text] of values) if ((bound.get(slot) ?? text) !== text) return false;
  return true;
};

/** Whether an event that must not have arrived is among those up to an order. */
const isExcluded = ({ none }: Alternative, events: readonly OrderedEvent[], last: number, matches: Matches): boolean =>
  none.length > 0 &&
  events.some((event) => event.order <= last && none.some((pattern) => matches.of(pattern, event) !== undefined));

/** All patterns of alternatives, also those that must not match. */
export const patternsOf = (alternatives: readonly Alternative[]): readonly EventPattern[] =>
  alternatives.flatMap(({ all, none }) => [...all.flat(), ...none]);

/** The first value that an event has for a key of the run. */
export function runValueOf({ keys }: Pick<EventRule, "keys">, event: JsonObject): Json | undefined {
  for (const key of keys) {
    if (key.scope !== "run") continue;
    const value = key.valueOf(event);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}
