import type { Alternative, CloudEvent, EventDefinition, Pattern, Taken } from "../events.ts";
import { attributeText, equalJson, type Json } from "../json.ts";
import type { AnyWorkflow } from "../workflow.ts";

/** The event that counts for each group of an alternative; undefined when it is not fulfilled. `token` is the correlation value so far. */
export function fulfilled(
  { all, none = [] }: Alternative,
  events: readonly CloudEvent[],
  workflow: AnyWorkflow,
  token: Json | undefined,
): readonly Taken[] | undefined {
  if (events.some((event) => none.some((pattern) => matches(pattern, event, workflow, token)))) return undefined;
  const groups: Taken[] = [];
  let value = token;
  for (const group of all) {
    const taken = firstOf(group, events, workflow, value);
    if (!taken) return undefined;
    value ??= tokenOf(definitionOf(taken.name, workflow), taken.event);
    groups.push(taken);
  }
  return groups;
}

/** The events of groups, each once, in the order in which they came. */
export const inOrder = (groups: readonly Taken[], events: readonly CloudEvent[]): readonly Taken[] =>
  events.flatMap((event) => groups.find((taken) => taken.event === event) ?? []);

/** Whether an event is of a pattern's definition, correlated with the run, and what its condition asks for. */
export function matches(pattern: Pattern, event: CloudEvent, workflow: AnyWorkflow, token: Json | undefined): boolean {
  const definition = definitionOf(nameOf(pattern), workflow);
  if (!isOf(definition, event)) return false;
  if (definition.correlation) {
    const value = tokenOf(definition, event);
    if (value === undefined || (token !== undefined && !isSameToken(value, token))) return false;
  }
  return typeof pattern === "string" || pattern.when(event);
}

/** What of an event has to equal the correlation value, where its definition asks for that. Null is none. */
export const tokenOf = ({ correlation }: EventDefinition, event: CloudEvent): Json | undefined =>
  correlation?.(event) ?? undefined;

/** Whether two correlation values are the same. */
export const isSameToken = (a: Json, b: Json): boolean => equalJson(attributeText(a), attributeText(b));

/** The definition of an event that is named. */
export function definitionOf(name: string, { id, events = {} }: AnyWorkflow): EventDefinition {
  const definition = Object.hasOwn(events, name) ? events[name] : undefined;
  if (!definition) throw new Error(`The workflow ${id} has no event ${name}.`);
  return definition;
}

/** The name of a pattern's definition. */
export const nameOf = (pattern: Pattern): string => (typeof pattern === "string" ? pattern : pattern.event);

function firstOf(
  group: readonly Pattern[],
  events: readonly CloudEvent[],
  workflow: AnyWorkflow,
  token: Json | undefined,
): Taken | undefined {
  for (const event of events) {
    const pattern = group.find((candidate) => matches(candidate, event, workflow, token));
    if (pattern !== undefined) return { name: nameOf(pattern), event };
  }
  return undefined;
}

function isOf(definition: EventDefinition, event: CloudEvent): boolean {
  const { foldCase } = definition;
  const same = (wanted: string | undefined, given: Json | undefined) =>
    wanted === undefined ||
    wanted === given ||
    (foldCase === true && String(given).toLowerCase() === wanted.toLowerCase());
  return (
    same(definition.type, event.type) &&
    same(definition.source, event.source) &&
    same(definition.subject, event.subject)
  );
}
