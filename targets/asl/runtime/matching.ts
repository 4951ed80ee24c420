import { attributeText, isObject, type Json, type JsonObject } from "../../../src/json.ts";
import type { Alternative, Arrival, Definition, EventDefinition, Pattern, Taken } from "./model.ts";

/** An event that counts for a group, and the name of the definition that it was taken as. */
export interface Found {
  readonly name: string;
  readonly arrival: Arrival;
}

/** How events are looked at: the correlation value so far, and the variables of conditions. */
export interface View {
  readonly definition: Definition;
  readonly token: Json | undefined;
  readonly variables: JsonObject;
}

/** The event that counts for each group of an alternative; undefined when it is not fulfilled. */
export function fulfilled(
  { all, none }: Alternative,
  arrivals: readonly Arrival[],
  view: View,
): readonly Found[] | undefined {
  if (arrivals.some(({ event }) => none.some((pattern) => matches(pattern, event, view)))) return undefined;
  const groups: Found[] = [];
  let { token } = view;
  for (const group of all) {
    const found = firstOf(group, arrivals, { ...view, token });
    if (!found) return undefined;
    token ??= tokenOf(view.definition.events.get(found.name)!, found.arrival.event);
    groups.push(found);
  }
  return groups;
}

/** The events of groups, each once, in the order in which they came. */
export const inOrder = (groups: readonly Found[], arrivals: readonly Arrival[]): readonly Found[] =>
  arrivals.flatMap((arrival) => groups.find((found) => found.arrival === arrival) ?? []);

/** Events as the answer of a wait has them. */
export const plain = (found: readonly Found[]): readonly Taken[] =>
  found.map(({ name, arrival }) => ({ name, event: arrival.event }));

/** Whether an event is of a pattern's definition, correlated with the run, and what its condition asks for. */
export function matches(
  { event: name, when }: Pattern,
  event: JsonObject,
  { definition, token, variables }: View,
): boolean {
  const wanted = definition.events.get(name)!;
  if (!isOf(wanted, event)) return false;
  if (wanted.correlation) {
    const value = tokenOf(wanted, event);
    if (value === undefined || (token !== undefined && tokenText(value) !== tokenText(token))) return false;
  }
  return !when || when(event, variables) === true;
}

/** What of an event has to equal the correlation value, where its definition asks for that. */
export const tokenOf = ({ correlation }: EventDefinition, event: JsonObject): Json | undefined =>
  correlation?.(event) ?? undefined;

/** A text that equal correlation values share: that of an attribute that is a number is the same as its text. */
export const tokenText = (token: Json): string => canonical(attributeText(token));

/** Whether an event has the attributes of a definition. */
export function isOf({ type, source, subject, foldCase }: EventDefinition, event: JsonObject): boolean {
  const same = (wanted: string | undefined, given: Json | undefined): boolean =>
    wanted === undefined ||
    wanted === given ||
    (foldCase === true && String(given).toLowerCase() === wanted.toLowerCase());
  return same(type, event["type"]) && same(source, event["source"]) && same(subject, event["subject"]);
}

/** The JSON text of a value, with the members of objects in one order: that of equal values is equal. */
export function canonical(value: Json): string {
  const ordered = (_: string, part: Json): Json =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part;
  return JSON.stringify(value, ordered);
}

function firstOf(group: readonly Pattern[], arrivals: readonly Arrival[], view: View): Found | undefined {
  for (const arrival of arrivals) {
    const pattern = group.find((candidate) => matches(candidate, arrival.event, view));
    if (pattern) return { name: pattern.event, arrival };
  }
  return undefined;
}
