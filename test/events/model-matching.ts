import type { EventReference } from "../../src/events/partition.ts";
import type { Alternative, EventPattern, EventRule } from "../../src/events/rules.ts";
import type { Json, JsonObject } from "../../src/json.ts";

/** The event of each group of an alternative. */
export type Groups = readonly EventReference[];

/** The event of each group if the events fulfill an alternative. */
export function groupsOf<E extends { readonly order: number }>(
  { all, none }: Alternative,
  events: readonly E[],
  matches: (pattern: EventPattern, event: E) => ReadonlyMap<string, string> | undefined,
  known: string | undefined,
): Groups | undefined {
  if (events.some((event) => none.some((pattern) => matches(pattern, event)))) return undefined;
  const bound = new Map<string, string>(known === undefined ? [] : [["the run", known]]);
  const agrees = (values: ReadonlyMap<string, string>) =>
    [...values].every(([slot, text]) => (bound.get(slot) ?? text) === text);
  const bind = (values: ReadonlyMap<string, string>) => {
    for (const [slot, text] of values) if (!bound.has(slot)) bound.set(slot, text);
  };
  for (const event of events)
    for (const pattern of all.flat()) {
      const values = matches(pattern, event);
      if (values && agrees(values)) bind(new Map([...values].filter(([slot]) => slot !== "the run")));
    }
  const groups: EventReference[] = [];
  for (const group of all) {
    const candidates = events.flatMap((event) => group.map((pattern) => ({ event, pattern })));
    const found = candidates.find(({ event, pattern }) => {
      const values = matches(pattern, event);
      return values && agrees(values);
    });
    if (!found) return undefined;
    bind(matches(found.pattern, found.event)!);
    groups.push({ name: found.pattern.event.name, order: found.event.order });
  }
  return groups;
}

/** Each event once, by the first group that it is of, in order of arrival. */
export const distinct = (groups: Groups): Groups =>
  groups
    .filter(({ order }, i) => groups.findIndex((other) => other.order === order) === i)
    .toSorted((a, b) => a.order - b.order);

/** The first value that an event has for a key of the run. */
export const valueIn = ({ keys }: EventRule, event: JsonObject): Json | undefined =>
  keys
    .filter(({ scope }) => scope === "run")
    .map((key) => key.valueOf(event))
    .find((value) => value !== undefined && value !== null);
