import type { Command } from "../../../../src/events/commands.ts";
import { eventKey } from "../../../../src/events/rules.ts";
import { isObject, type Json, type JsonObject } from "../../../../src/json.ts";
import { unchanged } from "../store/documents.ts";
import { changePartition, type EventContext, type PartitionDocument, partitionsFor } from "./partitions.ts";
import { deliver } from "./waits.ts";

/**
 * Receives the event of a trigger: it resumes the run that waits for it, starts runs, or is kept for a time. An event
 * with the source and id of an earlier one is ignored.
 */
export async function arrive(params: JsonObject, context: EventContext): Promise<JsonObject> {
  const event = eventIn(params, context);
  const partitions = partitionsFor(event, context.program);
  if (partitions.length === 0) return { isExpected: false };
  const key = eventKey(event);
  if (key !== undefined && (await context.documents.read(seenKey(key))) !== undefined) return { isExpected: true };
  const command: Command = { kind: "arrive", at: context.now(), event, ...(key !== undefined && { key }) };
  for (const partition of partitions) {
    const document = await changePartition(partition, "arrive", () => [command], context);
    await deliver(partition, document, context);
    await shortenSeen(partition, document, context);
  }
  if (key !== undefined) await remember(key, context);
  return { isExpected: true };
}

/** The CloudEvent that a trigger was fired with. With `$event`, the parameters are its data. */
function eventIn({ $event, ...params }: JsonObject, { id }: EventContext): JsonObject {
  if (typeof params["specversion"] === "string") return params;
  const attributes = typeof $event === "string" ? (JSON.parse($event) as Json) : $event;
  if (isObject(attributes)) return { specversion: "1.0", id, source: "/waybill", ...attributes, data: params };
  throw new Error("The parameters are not a CloudEvent: they have no specversion.");
}

const seenKey = (key: string): string => `event:${key}`;

/** Notes in a document of its own that an event has arrived, for as long as events are kept. Returns when that was. */
async function remember(key: string, { documents, settings, id, now }: EventContext): Promise<number> {
  const keepMs = Math.max(settings.keepEventsMs, 2 * settledMs);
  const { value } = await documents.change<number>(seenKey(key), id, (old) => (old === undefined ? now() : unchanged), {
    keepMs,
  });
  return value ?? now();
}

/** A partition knows at least so many of its last events; others have documents of their own. */
const maxSeen = 100;

/** No activation that receives an event takes so long. */
const settledMs = 60_000;

/** Removes the oldest known events from a partition, after their own documents have existed for a time. */
async function shortenSeen(partition: string, document: PartitionDocument, context: EventContext): Promise<void> {
  const keys = Object.keys(document.partition.seen);
  if (keys.length <= maxSeen) return;
  const forgettable = new Set<string>();
  for (const key of keys.slice(0, maxSeen / 2))
    if ((await remember(key, context)) <= context.now() - settledMs) forgettable.add(key);
  if (forgettable.size === 0) return;
  await context.documents.change<PartitionDocument>(partition, `${context.id}/seen`, (old) => {
    if (!old) return unchanged;
    const seen = Object.entries(old.partition.seen).filter(([key]) => !forgettable.has(key));
    return { ...old, partition: { ...old.partition, seen: Object.fromEntries(seen) } };
  });
}
