import { assumption, similarForm } from "../../diagnostics/migration.ts";
import type { EventDataFilter, EventGroup } from "../../generated/serverless-workflow-definition.ts";
import { keyOf, memberPath } from "../jq-text.ts";
import type { Action, CorrelationRule, EventEntry, EventFilter } from "../model.ts";
import type { ReaderContext } from "./context.ts";
import { eventNamed } from "./exits.ts";
import { namedValue, pathProgram } from "./paths.ts";

/** An entry of an event state. */
export function entryOf(
  context: ReaderContext,
  entry: EventGroup,
  isStart: boolean,
  actions: readonly Action[],
): EventEntry {
  if (entry.actionMode === "parallel" && actions.length > 1)
    context.tell(
      similarForm,
      { owner: entry, key: "actionMode" },
      {
        construct: "Parallel actions of an event state",
        form: "a list of tasks",
        difference: "they are performed one after another",
      },
    );
  const events = entry.eventRefs.map((name) => eventNamed(context, name, entry));
  return {
    events: isStart ? events.map((event) => ({ ...event, correlation: event.correlation.map(withoutValue) })) : events,
    filter: eventFilter(context, entry.eventRefs[0] ?? "", entry),
    actions,
    place: { owner: entry },
  };
}

/** The events that start a run have the same values, whatever they are. */
const withoutValue = ({ attribute }: CorrelationRule): CorrelationRule => ({ attribute, value: undefined });

const attributes = ["id", "source", "specversion", "type", "subject", "time", "datacontenttype", "dataschema"];

/** What of an event is merged: the payload and the correlation attribute, or what the filter selects. */
export function eventFilter(
  context: ReaderContext,
  name: string,
  { eventDataFilter: filter }: { readonly eventDataFilter?: EventDataFilter },
): EventFilter {
  const token = context.events.get(name)?.correlationToken;
  const place = filter && { owner: filter, key: "dataOutputPath" };
  const path = filter?.dataOutputPath === undefined ? undefined : pathProgram(context, filter.dataOutputPath, place!);
  if (!path || path.names?.length === 0) {
    const payload = namedValue(context, name);
    if (token === undefined) return { isUsed: true, data: filter ? (payload ?? ".data") : payload, to: undefined };
    const attribute = `{ ${keyOf(token)}: ${memberPath(token.toLowerCase())} }`;
    return { isUsed: true, data: `${attribute} + (.data // {})`, to: undefined };
  }
  const { jq, names, lastName } = path;
  const to = lastName === undefined ? undefined : { jq: memberPath(lastName), names: [lastName] };
  const [first, ...others] = names ?? [];
  if (first === "data" || (first !== undefined && others.length === 0 && attributes.includes(first)))
    return { isUsed: true, data: jq, to };
  context.tell(assumption, place!, {
    expression: `.data${jq}`,
    assumed: "the payload of the event has what the path selects, if the event has it",
    otherwise: "The draft looks for it in the event, then in its payload.",
  });
  const otherwise = names?.length === 1 ? `.data${jq}? // .` : jq.startsWith(".") ? `.data${jq}` : `.data | ${jq}`;
  return { isUsed: true, data: otherwise, to };
}
