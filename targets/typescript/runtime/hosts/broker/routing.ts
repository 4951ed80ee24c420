import type { EventRule } from "../../../../../src/events/rules.ts";
import type { Json as CoreJson, JsonObject as CoreJsonObject } from "../../../../../src/json.ts";
import type { CloudEvent, EventDefinition, Pattern } from "../../events.ts";
import { definitionOf, own, partitionOf, partitionsOf } from "../../internal.ts";
import type { Json } from "../../json.ts";
import type { AnyWorkflow } from "../../workflow.ts";

/**
 * The correlation key by whose value the events of each workflow are partitioned, by workflow id; null: they share the
 * common partition. A store keeps it, and all versions of a program use what the store has.
 */
export interface PartitionKeys {
  readonly [workflow: string]: string | null;
}

/** The keys of a program's workflows together with those that a store has. A key that would change becomes null. */
export function mergeKeys(workflows: readonly AnyWorkflow[], stored: PartitionKeys): PartitionKeys {
  const keys = new Map<string, string | null>(Object.entries(stored));
  for (const group of groupsOf(workflows)) {
    const own = keyOf(group);
    const isSame = group.every(({ id }) => (keys.get(id) ?? own) === own && keys.get(id) !== null);
    for (const { id } of group) keys.set(id, isSame ? own : null);
  }
  return Object.fromEntries([...keys].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The partitions that an event is for; empty if no workflow of the program receives it. */
export function partitionsOfEvent(
  event: CloudEvent,
  workflows: readonly AnyWorkflow[],
  keys: PartitionKeys,
): ReadonlySet<string> {
  const partitions = new Set<string>();
  for (const workflow of workflows) {
    const key = own(keys, workflow.id) ?? undefined;
    const events = receivedBy(workflow).map(eventRule);
    for (const partition of partitionsOf(event as CoreJsonObject, { events, key })) partitions.add(partition);
  }
  return partitions;
}

/** The partition of a wait of a workflow that begins with correlation values, or of a run with a value. */
export const partitionOfWait = (
  workflow: string,
  values: { readonly [key: string]: Json } | undefined,
  value: Json | undefined,
  keys: PartitionKeys,
): string =>
  partitionOf(values as { readonly [key: string]: CoreJson } | undefined, value as CoreJson | undefined, {
    events: [],
    key: own(keys, workflow) ?? undefined,
  });

/** The attributes and the key of a definition. */
function eventRule({ type, source, subject, foldCase, correlation, correlationKey = "" }: EventDefinition): EventRule {
  const safely = (event: CoreJsonObject): CoreJson | undefined => {
    try {
      return correlation!(event as CloudEvent) as CoreJson | undefined;
    } catch {
      return undefined;
    }
  };
  const keys = correlation ? [{ name: correlationKey, scope: "run" as const, valueOf: safely }] : [];
  return { name: "", type, source, subject, foldCase, keys };
}

/** Whether runs of a workflow wait for events, or are started by some. */
export const receivesEvents = (workflow: AnyWorkflow): boolean => receivedBy(workflow).length > 0;

/** Workflows that receive the same events, in groups: one run of a group uses an event. */
function groupsOf(workflows: readonly AnyWorkflow[]): readonly (readonly AnyWorkflow[])[] {
  const groups: AnyWorkflow[][] = [];
  const open = new Set(workflows.filter(receivesEvents));
  for (const first of open) {
    const members = new Set([first]);
    for (const member of members) for (const other of open) if (areRelated(member, other)) members.add(other);
    for (const member of members) open.delete(member);
    groups.push([...members]);
  }
  return groups;
}

const areRelated = (a: AnyWorkflow, b: AnyWorkflow): boolean =>
  a.id === b.id || receivedBy(a).some((event) => receivedBy(b).some((other) => overlaps(event, other)));

/** Whether one event may match two definitions. */
const overlaps = (a: EventDefinition, b: EventDefinition): boolean =>
  (["type", "source", "subject"] as const).every((attribute) => {
    const [one, two] = [a[attribute], b[attribute]];
    if (one === undefined || two === undefined) return true;
    return a.foldCase || b.foldCase ? one.toLowerCase() === two.toLowerCase() : one === two;
  });

/**
 * The key that all waits of a group use. Definitions that only start runs may lack it, if no event matches both them
 * and a definition with the key, and if no run needs events of both kinds to start.
 */
function keyOf(group: readonly AnyWorkflow[]): string | null {
  const all = group.flatMap(receivedBy);
  const keyed = all.filter(({ correlation }) => correlation);
  const names = new Set(keyed.map(({ correlationKey = "" }) => correlationKey));
  const waiting = group.filter(({ waits = {} }) => Object.keys(waits).length > 0);
  const [name] = names;
  if (name === undefined || names.size > 1) return null;
  if (!waiting.every((workflow) => workflow.correlation && waitedBy(workflow).every((each) => each.correlation)))
    return null;
  const others = all.filter(({ correlation }) => !correlation);
  if (others.some((one) => keyed.some((other) => overlaps(one, other)))) return null;
  const isMixed = (workflow: AnyWorkflow) =>
    workflow.start?.complete && new Set(startedBy(workflow).map(({ correlation }) => !correlation)).size > 1;
  return group.some(isMixed) ? null : name;
}

const receivedBy = (workflow: AnyWorkflow): readonly EventDefinition[] => [
  ...waitedBy(workflow),
  ...startedBy(workflow),
];

const waitedBy = (workflow: AnyWorkflow): readonly EventDefinition[] =>
  definitionsIn(
    workflow,
    Object.values(workflow.waits ?? {}).flatMap(({ alternatives }) => alternatives),
  );

const startedBy = (workflow: AnyWorkflow): readonly EventDefinition[] =>
  definitionsIn(workflow, workflow.start?.on ?? []);

function definitionsIn(
  workflow: AnyWorkflow,
  alternatives: readonly { readonly all: readonly (readonly Pattern[])[]; readonly none?: readonly Pattern[] }[],
): readonly EventDefinition[] {
  const patterns = alternatives.flatMap(({ all, none = [] }) => [...all.flat(), ...none]);
  const names = new Set(patterns.map((pattern) => (typeof pattern === "string" ? pattern : pattern.event)));
  return [...names].map((name) => definitionOf(name, workflow));
}
