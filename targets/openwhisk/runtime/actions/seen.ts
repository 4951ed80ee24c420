import { unchanged } from "../store/documents.ts";
import type { EventContext, PartitionDocument } from "./partition-documents.ts";

// An event that has arrived is known by its partition first. A document of its own, which expires, remembers it longer,
// so that partitions stay small.

const seenKey = (key: string): string => `event:${key}`;

/** Whether an event has arrived before, as far as its own document says. */
export const hasArrived = async (key: string, { documents }: EventContext): Promise<boolean> =>
  (await documents.read(seenKey(key))) !== undefined;

/** Notes in a document of its own that an event has arrived, for as long as events are kept. Returns when that was. */
export async function remember(key: string, { documents, settings, id, now }: EventContext): Promise<number> {
  const keepMs = Math.max(settings.keepEventsMs, 2 * settledMs);
  const { value } = await documents.change<number>(seenKey(key), id, (old) => (old === undefined ? now() : unchanged), {
    keepMs,
  });
  return value ?? now();
}

/** A partition may know so many events. */
const maxSeen = 100;

/** No activation that receives an event takes so long. */
const settledMs = 60_000;

/** Removes the oldest known events from a partition, after their own documents have existed for a time. */
export async function shortenSeen(key: string, document: PartitionDocument, context: EventContext): Promise<void> {
  const seen = Object.entries(document.partition.seen);
  if (seen.length <= maxSeen) return;
  const settled = context.now() - settledMs;
  const forgettable = new Set<string>();
  for (const [event] of seen.filter(([, at]) => at <= settled).slice(0, maxSeen / 2))
    if ((await remember(event, context)) <= settled) forgettable.add(event);
  if (forgettable.size === 0) return;
  await context.documents.change<PartitionDocument>(key, `${context.id}/seen`, (old) => {
    if (!old) return unchanged;
    const rest = Object.entries(old.partition.seen).filter(([event]) => !forgettable.has(event));
    return { ...old, partition: { ...old.partition, seen: Object.fromEntries(rest) } };
  });
}

/** Lets a partition expire that only knows events that have arrived: there may be one for each correlation value. */
export async function expireIdle(key: string, document: PartitionDocument, context: EventContext): Promise<void> {
  const seen = Object.keys(document.partition.seen);
  if (!isIdle(document) || seen.length > maxSeen) return;
  for (const event of seen) await remember(event, context);
  const isSame = (old: PartitionDocument) => isIdleWith(seen, old);
  await context.documents.change<PartitionDocument>(
    key,
    `${context.id}/idle`,
    (old) => (old && isSame(old) ? old : unchanged),
    { keepMs: 2 * settledMs },
  );
}

/** Removes such a partition after its events have had documents of their own for a time. */
export async function removeIdle(key: string, document: PartitionDocument, context: EventContext): Promise<void> {
  const seen = Object.keys(document.partition.seen);
  if (!isIdle(document) || seen.length > maxSeen) return;
  for (const event of seen) if ((await remember(event, context)) > context.now() - settledMs) return;
  await context.documents.remove<PartitionDocument>(key, (old) => isIdleWith(seen, old));
}

const isIdleWith = (seen: readonly string[], document: PartitionDocument): boolean =>
  isIdle(document) && Object.keys(document.partition.seen).join() === seen.join();

const isIdle = ({ partition: { events, waits, runs } }: PartitionDocument): boolean =>
  events.length + waits.length + Object.keys(runs).length === 0;
