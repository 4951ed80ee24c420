import type { Json, JsonObject } from "../json.ts";
import { constantText, defaultSource } from "./emitted-events.ts";
import { patternsOf, stepsOf } from "./walk.ts";
import type { Emit, EventCombination, EventDefinition, Workflow } from "./workflow.ts";

/** The events that a workflow receives. */
export function receivedEvents(workflow: Workflow): readonly EventDefinition[] {
  const received = new Set([...awaitedEvents(workflow), ...startEvents(workflow)]);
  return workflow.events.filter((event) => received.has(event));
}

/** The events that the steps of a workflow wait for. */
export const awaitedEvents = (workflow: Workflow): readonly EventDefinition[] =>
  definitionsIn(
    workflow,
    stepsOf(workflow).flatMap((step) => (step.kind === "receive" ? step.alternatives : [])),
  );

/** The events that start runs of a workflow. */
export const startEvents = (workflow: Workflow): readonly EventDefinition[] =>
  definitionsIn(workflow, workflow.start.on ?? []);

function definitionsIn({ events }: Workflow, combinations: readonly EventCombination[]): readonly EventDefinition[] {
  const names = new Set(patternsOf(combinations).map(({ event }) => event.name));
  return events.filter(({ name }) => names.has(name));
}

/** The attributes of an event by which definitions match it. */
export type EventAttributes = Pick<EventDefinition, "type" | "source" | "subject">;

/** The attributes of emitted events: those that a run computes are undefined, and in `computed`. */
export interface EmittedAttributes extends EventAttributes {
  readonly computed: ReadonlySet<keyof EventAttributes>;
}

/** The attributes of the events that a step emits. */
export function emittedAttributes(step: Emit, workflow: Workflow): EmittedAttributes {
  const definition = workflow.events.find(({ name }) => name === step.event.name);
  const { type = step.event.name, source = defaultSource(workflow), subject } = definition ?? {};
  const attributes: { -readonly [name in keyof EventAttributes]: EventAttributes[name] } = { type, source, subject };
  const computed = new Set<keyof EventAttributes>();
  for (const name of attributeNames) {
    const given = step.attributes?.[name];
    if (given === undefined) continue;
    const text = constantText(given);
    if (text === undefined) computed.add(name);
    if (text !== null) attributes[name] = text;
  }
  return { ...attributes, computed };
}

/** Whether a definition may match events with these attributes, correlation aside. */
export const mayMatchEmitted = (definition: EventDefinition, event: EmittedAttributes): boolean =>
  attributeNames.every((name) => event.computed.has(name) || matchesAttribute(definition, event, name));

/** Whether a definition surely matches events with these attributes, correlation aside. */
export const matchesAttributes = (definition: EventDefinition, event: EventAttributes): boolean =>
  attributeNames.every((name) => matchesAttribute(definition, event, name));

function matchesAttribute(definition: EventDefinition, event: EventAttributes, name: keyof EventAttributes): boolean {
  const required = definition[name];
  return required === undefined || isSameAttribute(required, event[name], definition.foldCase);
}

/** Whether one event may match both definitions. */
export const mayMatchSameEvent = (a: EventDefinition, b: EventDefinition): boolean =>
  attributeNames.every(
    (name) =>
      a[name] === undefined || b[name] === undefined || isSameAttribute(a[name], b[name], a.foldCase || b.foldCase),
  );

const attributeNames = ["type", "source", "subject"] as const;

const isSameAttribute = (one: string, other: string | undefined, foldCase: boolean | undefined): boolean =>
  foldCase ? one.toLowerCase() === other?.toLowerCase() : one === other;

/** An Amazon EventBridge pattern for events, either as bus events or as CloudEvents in `detail`. It may match more. */
export function eventBridgePattern({ type, source, subject, foldCase }: EventDefinition): JsonObject {
  const same = (text: string | undefined): readonly [Json] | undefined =>
    text === undefined ? undefined : [matchString(text, foldCase === true)];
  const plain = {
    ...(source !== undefined && { source: same(source)! }),
    ...(type !== undefined && { "detail-type": same(type)! }),
  };
  const detail = {
    specversion: [{ exists: true }],
    ...(type !== undefined && { type: same(type)! }),
    ...(source !== undefined && { source: same(source)! }),
    ...(subject !== undefined && { subject: same(subject)! }),
  };
  if (subject !== undefined) return { detail };
  if (type === undefined && source === undefined) return { source: [{ prefix: "" }] };
  return { $or: [plain, { detail }] };
}

/** CloudFormation would resolve dynamic references. */
function matchString(text: string, foldCase: boolean): Json {
  const at = text.indexOf("{{resolve:");
  const start = at < 0 ? text : text.slice(0, at);
  const wanted: Json = foldCase ? { "equals-ignore-case": start } : start;
  return at < 0 ? wanted : { prefix: wanted };
}
