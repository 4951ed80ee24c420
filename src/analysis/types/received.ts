import type { EventDefinition, Receive } from "../../ir/workflow.ts";
import {
  any,
  anyObject,
  arrayOf,
  integer,
  nullType,
  objectOf,
  recordOf,
  string,
  type Type,
  union,
} from "../../types/index.ts";

/** The types of what a wait receives. */
export interface ReceivedTypes {
  /** Of the event alone, if the wait receives one. */
  readonly event: Type;
  /** Of its events, with the names of their definitions. */
  readonly events: Type;
  /** Of its result. */
  readonly result: Type;
}

/** The type of an event that matches a definition. */
export const eventType = ({ dataType }: Pick<EventDefinition, "dataType">): Type =>
  dataType ? objectOf(new Map([["data", { type: dataType, required: true }]]), any) : anyObject;

/** The types of what a wait receives. The data of events has the types that their definitions declare. */
export function receivedTypes(
  { alternatives }: Pick<Receive, "alternatives">,
  definitions: readonly EventDefinition[],
): ReceivedTypes {
  if (!definitions.some(({ dataType }) => dataType)) return untyped;
  const isCertain = alternatives.every(({ within, all }) => within === undefined && all.length > 0);
  const names = new Set(alternatives.flatMap(({ all }) => all.flat()).map(({ event }) => event.name));
  const received = definitions.filter(({ name }) => names.has(name));
  return typesWith(received.length > 0 ? union(...received.map(eventType)) : anyObject, isCertain);
}

/** `isCertain`: the wait ends only when events have arrived. */
function typesWith(event: Type, isCertain: boolean): ReceivedTypes {
  const some = arrayOf(
    recordOf([
      ["name", string],
      ["event", event],
    ]),
  );
  const events: Type = isCertain ? { ...some, isFilled: true } : some;
  const result = recordOf([
    ["alternative", isCertain ? integer : union(integer, nullType)],
    ["events", events],
    ["groups", events],
  ]);
  return { event, events, result };
}

const untyped = typesWith(anyObject, false);
