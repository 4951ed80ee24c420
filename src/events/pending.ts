import type { Effect } from "./commands.ts";
import { answerOf, type Partition, receivedEvents } from "./partition.ts";

/**
 * The effects of earlier steps that may not have been carried out: the answers of waits that are not confirmed, and the
 * runs to be started that have neither joined nor waited. Stores repeat them after a crash.
 */
export function pendingEffects(partition: Partition): readonly Effect[] {
  const wakes = partition.waits
    .filter(({ end, isConfirmed }) => end && !isConfirmed)
    .map((wait): Effect => ({ kind: "wake", wait, answer: answerOf(partition, wait) }));
  const starts = Object.entries(partition.runs).flatMap(([run, { start, value }]): readonly Effect[] => {
    if (!start) return [];
    const { workflow, at, events } = start;
    return [{ kind: "start", workflow, run, at, events: receivedEvents(events, partition), value }];
  });
  return [...wakes, ...starts];
}
