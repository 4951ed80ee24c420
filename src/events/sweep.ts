import type { Command } from "./commands.ts";
import { withoutUndefined } from "./draft.ts";
import type { Partition, StoredEvent, StoredWait } from "./partition.ts";
import type { Rules } from "./rules.ts";
import { hasDiscarded, hasDiscardedOwn } from "./visibility.ts";

/** A partition after a clean-up, and the orders of the events that are gone. */
export interface Sweep {
  readonly partition: Partition;
  readonly deleted: readonly number[];
}

/**
 * Deletes events that are too old or that confirmed waits have discarded, then such waits and the keys of old events,
 * up to a number of changed entries.
 */
export function sweep(
  partition: Partition,
  { before, limit }: Command & { readonly kind: "sweep" },
  rules: Rules,
): Sweep {
  const { waits, seen } = partition;
  const dropping = waits.filter(({ isConfirmed }) => isConfirmed).slice(0, limit);
  const { events, deleted, changes } = sweepEvents(partition.events, dropping, before, limit, rules);
  const isDone = (wait: StoredWait) => !events.some((event) => isHeldBack(event, wait, rules));
  const done = take(dropping, limit - changes, isDone);
  const old = take(Object.entries(seen), limit - changes - done.size, ([, at]) => at < before);
  if (changes + done.size + old.size === 0) return { partition, deleted };
  const forgotten = new Set([...old].map(([key]) => key));
  const swept = {
    ...partition,
    events: changes === 0 ? partition.events : events,
    waits: done.size === 0 ? waits : waits.filter((wait) => !done.has(wait)),
    seen: old.size === 0 ? seen : Object.fromEntries(Object.entries(seen).filter(([key]) => !forgotten.has(key))),
  };
  return { partition: swept, deleted };
}

function sweepEvents(
  events: readonly StoredEvent[],
  dropping: readonly StoredWait[],
  before: number,
  limit: number,
  rules: Rules,
): { readonly events: readonly StoredEvent[]; readonly deleted: readonly number[]; readonly changes: number } {
  const kept: StoredEvent[] = [];
  const deleted: number[] = [];
  let changes = 0;
  for (const event of events) {
    const remaining = changes < limit ? remainderOf(event, dropping, before, rules) : event;
    if (remaining !== event) changes += 1;
    if (remaining) kept.push(remaining);
    else deleted.push(event.order);
  }
  return { events: kept, deleted, changes };
}

/** An event without what waits have discarded of it; undefined if nothing is left. */
function remainderOf(
  event: StoredEvent,
  dropping: readonly StoredWait[],
  before: number,
  rules: Rules,
): StoredEvent | undefined {
  const { at, isFree, runs, users } = event;
  if (isFree && at < before && !runs && !users) return undefined;
  const stillFree = isFree && !dropping.some((wait) => hasDiscarded(event, wait, rules.waitRule(wait)));
  const owners = runs?.filter((run) => !dropping.some((wait) => wait.run === run && hasDiscardedOwn(event, wait)));
  if (stillFree === isFree && owners?.length === runs?.length) return event;
  if (!stillFree && !owners?.length && !users) return undefined;
  return withoutUndefined({ ...event, isFree: stillFree, runs: owners?.length ? owners : undefined });
}

/** Whether a wait still discards an event, or would if its users released it. */
const isHeldBack = (event: StoredEvent, wait: StoredWait, rules: Rules): boolean =>
  event.order <= wait.dropped!.last &&
  (event.users !== undefined ||
    hasDiscardedOwn(event, wait) ||
    (event.isFree && hasDiscarded(event, wait, rules.waitRule(wait))));

/** The first items with a property, up to a limit. */
function take<T>(items: readonly T[], limit: number, has: (item: T) => boolean): ReadonlySet<T> {
  const taken = new Set<T>();
  for (const item of items) {
    if (taken.size >= limit) break;
    if (has(item)) taken.add(item);
  }
  return taken;
}
