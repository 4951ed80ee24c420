import type { Json, JsonObject } from "../../../src/json.ts";
import { correlationText, hasAttributes, type Matcher, type Taken } from "../../../src/matching/matching.ts";
import type { Arrival, Definition, EventDefinition, Pattern, Received } from "./model.ts";

/** How a workflow looks at what has come; its conditions see these variables. */
export const matcherOf = <Come extends Pick<Arrival, "event">>(
  { events }: Definition,
  variables: JsonObject = {},
): Matcher<Pattern, Come> => ({
  nameOf: ({ event }) => event,
  isOf: (name, { event }) => hasAttributes(event, events.get(name)!),
  tokenOf: (name, { event }) => textOf(events.get(name)!, event),
  holds: ({ when }, { event }) => !when || when(event, variables) === true,
});

/** The correlation value that a run has from the first of its events that has one. */
export const tokenFrom = (used: readonly Taken<Arrival>[], { events }: Definition): Json | undefined =>
  used.map(({ name, event }) => tokenOf(events.get(name)!, event.event)).find((token) => token !== undefined);

/** What of an event has to equal the correlation value, where its definition asks for that; null is none. */
const tokenOf = ({ correlation }: EventDefinition, event: JsonObject): Json | undefined =>
  correlation?.(event) ?? undefined;

const textOf = (definition: EventDefinition, event: JsonObject): string | null | undefined =>
  definition.correlation && correlationText(tokenOf(definition, event));

/** Events as the answer of a wait has them. */
export const plain = (taken: readonly Taken<Arrival>[], { events }: Definition): Received["events"] =>
  taken.map(({ name, event: { event } }) => ({ name: events.get(name)!.name ?? name, event }));
