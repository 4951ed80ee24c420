import { noForm, similarForm } from "../../diagnostics/migration.ts";
import type { Json } from "../../json.ts";
import { mapTemplate, memberPath, parse, pipe, unwrapped, wrapped } from "../jq-text.ts";
import type { EventDefinition, EventFilter, Place, ProducedEvent } from "../model.ts";
import type { Task, WriterContext } from "./context.ts";
import { mergeInto } from "./data.ts";

/** The task that emits an event. `from`: the data that it is computed from. */
export function emitTask(context: WriterContext, produced: ProducedEvent, from: string | undefined): Task {
  const { event, data, attributes, place } = produced;
  const inData = (template: Json): Json => mapTemplate(template, (jq) => pipe(from, jq));
  const written = Object.entries(attributes).map(([name, value]) => [name, attributeText(inData(value))] as const);
  const correlated = event.correlation
    .map(({ attribute }) => attribute)
    .filter((attribute) => attributes[attribute] === undefined)
    .flatMap((attribute) => {
      const value = startValue(context, attribute);
      if (value === undefined) reportCorrelation(context, event, attribute, place);
      return value === undefined ? [] : [[attribute, value] as const];
    });
  return {
    emit: {
      event: {
        with: {
          source: event.source ?? `/${context.machine.id}`,
          type: event.type,
          ...Object.fromEntries([...written, ...correlated]),
          ...(data === undefined ? {} : { data: inData(data) }),
        },
      },
    },
  };
}

/** Context attributes are strings in 0.8. */
function attributeText(value: Json): Json {
  if (typeof value !== "string") return JSON.stringify(value);
  const jq = unwrapped(value);
  return jq === undefined || parse(jq)?.kind === "string" ? value : wrapped(`${jq} | tostring`);
}

function reportCorrelation(context: WriterContext, event: EventDefinition, attribute: string, place: Place): void {
  context.tell(similarForm, place, {
    construct: `The correlation of the event \`${event.name}\``,
    form: "nothing",
    difference: `write the attribute \`${attribute}\` in \`emit.event.with\``,
  });
}

/** How many of the events of a `listen` have to arrive. */
export type EventStrategy = "one" | "any" | "all";

/** The task that waits for events. */
export function listenTask(
  context: WriterContext,
  events: readonly EventDefinition[],
  strategy: EventStrategy,
  place: Place,
  reads: "data" | "envelope" = "data",
): Task {
  const filters = events.map((event) => filterOf(context, event, place));
  const to = strategy === "one" ? { one: filters[0]! } : { [strategy]: filters };
  const readsEnvelope = reads === "envelope" || events.some(({ dataOnly }) => !dataOnly);
  return { listen: { to, ...(readsEnvelope ? { read: "envelope" } : {}) } };
}

/** The filter of an event. */
export function filterOf(context: WriterContext, event: EventDefinition, place: Place): { [key: string]: Json } {
  const attributes: { [key: string]: Json } = {
    ...(event.source === undefined ? {} : { source: event.source }),
    type: event.type,
  };
  const correlate: { [key: string]: Json } = {};
  for (const { attribute, value } of event.correlation) {
    const expected = value ?? startValue(context, attribute);
    if (expected === undefined)
      context.tell(noForm, place, {
        construct: `the correlation of \`${event.name}\` by \`${attribute}\` with the run`,
        hint: `Write \`correlate: { ${attribute}: { from: ${memberPath(attribute)}, expect: \${ … } } }\` with the value in the data.`,
      });
    else if (typeof expected === "string" && unwrapped(expected) === undefined) attributes[attribute] = expected;
    else correlate[attribute] = { from: wrapped(memberPath(attribute)), expect: expected };
  }
  return { with: attributes, ...(Object.keys(correlate).length === 0 ? {} : { correlate }) };
}

/** The value of an attribute in the event that created the run. */
function startValue({ machine }: WriterContext, attribute: string): Json | undefined {
  const [start] = machine.states;
  if (start?.kind !== "event") return undefined;
  const creators = start.entries.flatMap(({ events }) => events);
  const isCorrelated = creators.every(({ correlation }) => correlation.some((rule) => rule.attribute === attribute));
  return isCorrelated ? wrapped(`$workflow.input[0]${memberPath(attribute)}`) : undefined;
}

/**
 * A program that merges an event into the data. `event` is a program for the value that `listen` returned: the
 * payload, or the event if `isEnvelope`.
 */
export function mergeEvent(
  context: WriterContext,
  definition: EventDefinition,
  filter: EventFilter,
  event: string,
  isEnvelope: boolean,
  place: Place,
): string {
  if (!filter.isUsed) return "$input";
  const payload = isEnvelope && definition.dataOnly ? `${event}.data` : event;
  const result = filter.data === undefined ? payload : pipe(payload, filter.data);
  return mergeInto(context, { result, to: filter.to, name: definition.name, place });
}
