import { equalValues } from "../expressions/index.ts";
import type { Alternative, EventDefinition, Pattern, Workflow } from "../ir/workflow.ts";
import { type Json, type JsonObject, own } from "../json.ts";
import { firstOf } from "./context.ts";

/** How a wait looks at events: the definitions, the correlation value so far, and what else a pattern asks. */
export interface Matcher {
  readonly workflow: Workflow;
  readonly token: Json | undefined;
  /** Whether a pattern's condition holds for an event. */
  holds(pattern: Pattern, event: JsonObject): boolean;
}

/** An event that an alternative uses, and the name of the definition that it was taken as. */
export interface Used {
  readonly name: string;
  readonly event: JsonObject;
}

/** The event that counts for each group of an alternative; undefined when it is not fulfilled. */
export function fulfilled(
  { all, none }: Alternative,
  events: readonly JsonObject[],
  matcher: Matcher,
): readonly Used[] | undefined {
  if (events.some((event) => none.some((pattern) => matches(pattern, event, matcher)))) return undefined;
  const groups: Used[] = [];
  let token = matcher.token;
  for (const group of all) {
    const now = { ...matcher, token };
    const event = events.find((candidate) => group.some((pattern) => matches(pattern, candidate, now)));
    if (!event) return undefined;
    const pattern = group.find((candidate) => matches(candidate, event, now))!;
    token ??= tokenOf(definitionOf(pattern, matcher.workflow), event);
    groups.push({ name: pattern.event.name, event });
  }
  return groups;
}

/** The events of groups, each once, in the order in which they came. */
export const inOrder = (groups: readonly Used[], events: readonly JsonObject[]): readonly Used[] =>
  events.flatMap((event) => groups.find((used) => used.event === event) ?? []);

/** Whether an event is of a pattern's definition, correlated with the run, and what its condition asks for. */
export function matches(pattern: Pattern, event: JsonObject, matcher: Matcher): boolean {
  const definition = definitionOf(pattern, matcher.workflow);
  if (!isOf(definition, event)) return false;
  if (definition.correlation) {
    const token = tokenOf(definition, event);
    if (token === undefined || (matcher.token !== undefined && !equalValues(token, matcher.token))) return false;
  }
  return matcher.holds(pattern, event);
}

/** What of an event has to equal the correlation value, where its definition asks for that. */
export function tokenOf({ correlation }: EventDefinition, event: JsonObject): Json | undefined {
  return correlation && firstOf(correlation, new Map<string, Json>([["event", event]]));
}

/** The definition of an event that is named. */
export function definitionOf({ event }: Pick<Pattern, "event">, { events }: Workflow): EventDefinition {
  const definition = events.find(({ name }) => name === event.name);
  if (!definition) throw new Error(`There is no event ${event.name}.`);
  return definition;
}

function isOf(definition: EventDefinition, event: JsonObject): boolean {
  const same = (wanted: string | undefined, given: Json | undefined) =>
    wanted === undefined ||
    wanted === given ||
    (definition.foldCase === true && String(given).toLowerCase() === wanted.toLowerCase());
  return (["type", "source", "subject"] as const).every((attribute) =>
    same(definition[attribute], own(event, attribute)),
  );
}
