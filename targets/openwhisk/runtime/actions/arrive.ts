import type { Command } from "../../../../src/events/commands.ts";
import { eventKey } from "../../../../src/events/rules.ts";
import { isObject, type Json, type JsonObject } from "../../../../src/json.ts";
import { type EventContext, partitionsFor } from "./partition-documents.ts";
import { changePartition } from "./partitions.ts";
import { hasArrived, remember, shortenSeen } from "./seen.ts";
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
  if (key !== undefined && (await hasArrived(key, context))) return { isExpected: true };
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
