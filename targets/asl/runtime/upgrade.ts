import { isOver } from "../../../src/events/draft.ts";
import type { Partition, RunRecord, StoredEvent, StoredWait } from "../../../src/events/partition.ts";
import { commonPartition, partitionOf, partitionsOf, type Routing } from "../../../src/events/routing.ts";
import { own } from "../../../src/json.ts";
import type { StoredPartition } from "./stored-partition.ts";
import type { EventTable } from "./table.ts";

/** How many events one transaction moves. */
const maxMoved = 10;

/** Refuses events that are stored by another key than the functions': they would not find waits. */
export function requireKey({ key }: StoredPartition, { key: own }: Routing, group: string): void {
  if (key === undefined || key === own) return;
  const present = own === undefined ? "together" : `by the value of "${own}"`;
  throw new Error(
    `The events of ${group} are stored by the value of "${key}", but these functions store them ${present}. ` +
      `Deploy the functions that stored them until no run waits, then delete the item with pk "${group}" and sk "head".`,
  );
}

/**
 * Divides events and waits that an earlier version of the functions has stored together into partitions. Other calls
 * may do the same at the same time, and any may crash.
 */
export async function distribute(table: EventTable, routing: Routing, group: string, now: () => number): Promise<void> {
  for (;;) {
    const common = await table.read(commonPartition, now());
    requireKey(common, routing, group);
    if (common.key === routing.key) return;
    const move = firstMove(common.partition, routing, group);
    if (!move) {
      const { partition, attempts } = common;
      await table.write([{ before: common, partition, attempts, key: routing.key }], now());
      continue;
    }
    const target = await table.read(move.target, now());
    await table.write(moved(common, target, move), now());
  }
}

interface Move {
  readonly target: string;
  readonly waits: readonly StoredWait[];
  readonly events: readonly StoredEvent[];
}

/** A wait with the events that it has used, or events for one partition. */
function firstMove({ waits, events, runs }: Partition, routing: Routing, group: string): Move | undefined {
  for (const wait of waits) {
    const target = partitionOf(wait.values, own(runs, wait.run)?.value, routing);
    if (target === commonPartition && isOver(wait)) continue;
    if (target === commonPartition)
      throw new Error(
        `The run ${wait.run} of ${group} waits without a value of "${routing.key}", and could not be found if events ` +
          "were stored by it. Deploy the functions that stored its wait until it has ended.",
      );
    return { target, waits: [wait], events: events.filter(({ users }) => users?.includes(wait.id)) };
  }
  const targetOf = ({ event, users }: StoredEvent) => (users ? commonPartition : [...partitionsOf(event, routing)][0]);
  const first = events.find((event) => (targetOf(event) ?? commonPartition) !== commonPartition);
  if (!first) return undefined;
  const target = targetOf(first)!;
  return { target, waits: [], events: events.filter((event) => targetOf(event) === target).slice(0, maxMoved) };
}

/** Events get orders behind those of the target. Orders of the common partition mean nothing there. */
function moved(
  common: StoredPartition,
  target: StoredPartition,
  { waits, events }: Move,
): Parameters<EventTable["write"]>[0] {
  let { next } = target.partition;
  const orders = new Map(events.map((event) => [event.order, next++]));
  const orderOf = (order: number): number => orders.get(order)!;
  const movedWaits = waits.map(({ dropped: _, end, ...wait }): StoredWait => {
    if (!end) return wait;
    const groups = end.groups.map((group) => ({ ...group, order: orderOf(group.order) }));
    return { ...wait, end: { ...end, groups, uses: end.uses.map((use) => ({ ...use, order: orderOf(use.order) })) } };
  });
  const runs: { [run: string]: RunRecord } = { ...target.partition.runs };
  for (const { run } of waits) {
    const { after: __, ...record } = own(common.partition.runs, run) ?? {};
    runs[run] = record;
  }
  const attempts = new Map(target.attempts);
  for (const { id } of waits) if (common.attempts.has(id)) attempts.set(id, common.attempts.get(id)!);
  const isMoved = new Set<StoredEvent | StoredWait>([...waits, ...events]);
  return [
    {
      before: common,
      partition: {
        ...common.partition,
        waits: common.partition.waits.filter((wait) => !isMoved.has(wait)),
        events: common.partition.events.filter((event) => !isMoved.has(event)),
      },
      attempts: common.attempts,
    },
    {
      before: target,
      partition: {
        ...target.partition,
        next,
        runs,
        waits: [...target.partition.waits, ...movedWaits],
        events: [...target.partition.events, ...events.map((event) => ({ ...event, order: orderOf(event.order) }))],
        isUnsettled: true,
      },
      attempts,
    },
  ];
}
