import type { Core } from "./core.ts";
import { DeliveryQueue } from "./delivery-queue.ts";
import type { OutgoingRow } from "./statements.ts";
import type { Task } from "./store.ts";

/**
 * Sends emitted events until their sinks accept them, independently of the runs, and to each sink independently of the
 * others.
 */
export interface Outbox {
  /** An event of a type is in the store. */
  added(type: string): void;
  /** Something is being sent, or could be. */
  readonly isBusy: boolean;
  stop(): void;
}

/** The outbox of a store; what is in it is sent. */
export function* outboxOf(core: Core): Task<Outbox> {
  const queues = new Map<string, DeliveryQueue>();
  const added = (type: string) => {
    const sink = core.options.sinkOf?.(type) ?? "";
    const queue = queues.get(sink) ?? new DeliveryQueue(core);
    queues.set(sink, queue);
    queue.added(type);
  };
  for (const { type } of yield* core.sql.outgoingTypes.all()) added(type);
  return {
    added,
    get isBusy() {
      return [...queues.values()].some(({ isBusy }) => isBusy);
    },
    stop() {
      for (const queue of queues.values()) queue.stop();
    },
  };
}

/** Moves the rejected events of a run to the end of the outbox, and returns their types. Within a transaction. */
export function* sendAgain({ sql }: Core, run: number): Task<readonly string[]> {
  const rows: readonly OutgoingRow[] = (yield* sql.outgoingOf.all(run)).filter(({ refused }) => refused === 1);
  for (const { ref } of rows) {
    sql.sendAgain.run(ref);
    sql.sent.run(ref);
  }
  return [...new Set(rows.map(({ type }) => type))];
}
