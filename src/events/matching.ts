import type { Json, JsonObject } from "../json.ts";
import type { Conditions } from "./conditions.ts";
import type { EventReference } from "./partition.ts";
import {
  type Alternative,
  type CorrelationKey,
  correlationText,
  type EventPattern,
  type EventRule,
  hasAttributes,
} from "./rules.ts";

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

/** How a wait compares events: with the values that it began with, by key, and its conditions. */
export interface Matcher {
  readonly values: { readonly [key: string]: string };
  readonly bound: BoundValues;
  /** Undefined: conditions are ignored. */
  readonly conditions?: Conditions | undefined;
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
    const text = textOf(key, event);
    if (text === null) return undefined;
    const slot = slotOf(key);
    const isKnown = Object.hasOwn(values, key.name);
    const expected = isKnown ? values[key.name] : (bound.get(slot) ?? own.get(slot));
    if (expected !== undefined && expected !== text) return undefined;
    if (!isKnown) own.set(slot, text);
  }
  return own;
}

/** Values of events, which are computed once. */
const texts = new WeakMap<JsonObject, Map<CorrelationKey, string | null>>();

function textOf(key: CorrelationKey, event: JsonObject): string | null {
  let known = texts.get(event);
  if (!known) {
    known = new Map();
    texts.set(event, known);
  }
  let text = known.get(key);
  if (text === undefined) {
    text = correlationText(key.valueOf(event));
    known.set(key, text);
  }
  return text;
}

/**
 * Whether an event has the attributes of a pattern's definition and satisfies its condition: its values by slot.
 * Throws what the condition throws.
 */
export function matchPattern(pattern: EventPattern, event: OrderedEvent, matcher: Matcher): BoundValues | undefined {
  if (!hasAttributes(event.event, pattern.event)) return undefined;
  const own = matchKeys(pattern.event, event.event, matcher, matcher.bound);
  return own && (matcher.conditions?.hold(pattern, event.event) ?? true) ? own : undefined;
}

/**
 * The first alternative that the events fulfill when they are examined one by one in their order; of several that one
 * event fulfills, the first. `events` are sorted by order.
 */
export function choose(
  alternatives: readonly Alternative[],
  isOpen: (alternative: Alternative) => boolean,
  events: readonly OrderedEvent[],
  matcher: Matcher,
): Choice | undefined {
  let best: Choice | undefined;
  for (const [alternative, each] of alternatives.entries()) {
    if (!isOpen(each)) continue;
    const groups = matchGroups(each, events, matcher);
    if (!groups) continue;
    const last = groups.reduce((latest, { order }) => Math.max(latest, order), 0);
    if (best && best.last <= last) continue;
    if (!isExcluded(each, events, last, matcher)) best = { alternative, groups, last };
  }
  return best;
}

/** The earliest event of each group. If the run has no value, an event binds it for the groups behind it. */
function matchGroups(
  { all }: Alternative,
  events: readonly OrderedEvent[],
  matcher: Matcher,
): Choice["groups"] | undefined {
  const groups: EventReference[] = [];
  const bound = bindWaitKeys(all.flat(), events, matcher);
  for (const group of all) {
    const found = firstOf(group, events, bound, matcher);
    if (!found) return undefined;
    bind(found.values, bound);
    groups.push({ name: found.name, order: found.order });
  }
  return groups;
}

/** The first event that has a key of the wait binds its value. */
function bindWaitKeys(
  patterns: readonly EventPattern[],
  events: readonly OrderedEvent[],
  matcher: Matcher,
): Map<string, string> {
  const bound = new Map(matcher.bound);
  const keyed = patterns.filter(({ event }) => event.keys.some(({ scope }) => scope === "wait"));
  if (keyed.length === 0) return bound;
  for (const event of events)
    for (const pattern of keyed) {
      const values = matchPattern(pattern, event, matcher);
      if (values && agrees(values, bound)) bind(new Map([...values].filter(([slot]) => slot !== runSlot)), bound);
    }
  return bound;
}

function bind(values: BoundValues, bound: Map<string, string>): void {
  for (const [slot, text] of values) if (!bound.has(slot)) bound.set(slot, text);
}

function firstOf(
  group: readonly EventPattern[],
  events: readonly OrderedEvent[],
  bound: BoundValues,
  matcher: Matcher,
): { readonly name: string; readonly order: number; readonly values: BoundValues } | undefined {
  for (const event of events)
    for (const pattern of group) {
      const values = matchPattern(pattern, event, matcher);
      if (values && agrees(values, bound)) return { name: pattern.event.name, order: event.order, values };
    }
  return undefined;
}

const agrees = (values: BoundValues, bound: BoundValues): boolean => {
  for (const [slot, text] of values) if ((bound.get(slot) ?? text) !== text) return false;
  return true;
};

/** Whether an event that must not have arrived is among those up to an order. */
const isExcluded = ({ none }: Alternative, events: readonly OrderedEvent[], last: number, matcher: Matcher): boolean =>
  none.length > 0 &&
  events.some((event) => event.order <= last && none.some((pattern) => matchPattern(pattern, event, matcher)));

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
