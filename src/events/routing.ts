import type { Json, JsonObject } from "../json.ts";
import { correlationText, type EventRule, hasAttributes } from "./rules.ts";

/** How the events and waits of a group of workflows are divided into partitions. */
export interface Routing {
  /** All definitions of the group that waits or starts use. */
  readonly events: readonly EventRule[];
  /** The key by whose value they are partitioned; undefined if there is one partition. */
  readonly key?: string | undefined;
}

/** The only partition of a group without a key, and the one for events without a value. */
export const commonPartition = "";

/**
 * The partitions that an event is for, by its correlation value as a string; empty if no definition matches. An event
 * of a partitioned group is for one partition: definitions without the key do not overlap with those that have it.
 */
export function partitionsOf(event: JsonObject, { events, key }: Routing): ReadonlySet<string> {
  const partitions = new Set<string>();
  for (const definition of events) {
    if (!hasAttributes(event, definition)) continue;
    const correlation = definition.keys.find(({ name }) => name === key);
    if (key === undefined || (!correlation && definition.keys.length === 0)) partitions.add(commonPartition);
    else if (correlation) {
      const text = correlationText(correlation.valueOf(event));
      if (text !== null) partitions.add(text);
    }
  }
  return partitions;
}

/** The partition of a wait that begins with correlation values, or of a run with a value. */
export function partitionOf(
  values: { readonly [key: string]: Json } | undefined,
  value: Json | undefined,
  { key }: Routing,
): string {
  if (key === undefined) return commonPartition;
  const own = values && Object.hasOwn(values, key) ? values[key] : undefined;
  const isOwn = own !== null && typeof own !== "object" && own !== undefined;
  return correlationText(isOwn ? own : value) ?? commonPartition;
}
