import type { Core } from "./core.ts";
import { DeliveryQueue } from "./delivery-queue.ts";
import type { OutgoingRow } from "./statements.ts";
import { type Task, together } from "./store.ts";

/**
 * Sends emitted events until their sinks accept them, independently of the runs, and to each sink independently of the
 * others.
 */
export interface Outbox {
  /** An event of a type is in the store, under a number if it is known. */
  added(type: string, ref: number | undefined): void;
  /** Something is being sent, or could be. */
  readonly isBusy: boolean;
  stop(): void;
}

/** The outbox of a store; what is in it is sent. */
export function* outboxOf(core: Core): Task<Outbox> {
  const queues = new Map<string, DeliveryQueue>();
  /** The types of all events up to this one are known to their queues. */
  let last = 0;
  const queueOf = (type: string): DeliveryQueue => {
    const sink = core.options.sinkOf?.(type) ?? "";
    const queue = queues.get(sink) ?? new DeliveryQueue(core, () => last);
    queues.set(sink, queue);
    queue.addType(type);
    return queue;
  };
  const added = (type: string, ref: number | undefined) => {
    const queue = queueOf(type);
    last = Math.max(last, ref ?? 0);
    queue.added();
    if (ref === undefined) void readLast(queue);
  };
  const readLast = async (queue: DeliveryQueue) => {
    const found = await core.read(core.sql.lastOutgoing.get()).catch(() => undefined);
    last = Math.max(last, found?.ref ?? 0);
    queue.added();
  };
  const [found, types] = yield* together(core.sql.lastOutgoing.get(), core.sql.outgoingTypes.all());
  last = found!.ref;
  for (const queue of new Set(types.map(({ type }) => queueOf(type)))) queue.added();
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

/** An event that is sent again. */
export interface ResentEvent {
  readonly type: string;
  readonly ref: number;
}

/** Moves the rejected events of a run to the end of the outbox. Within a transaction. */
export function* sendAgain({ sql }: Core, run: number): Task<readonly ResentEvent[]> {
  const rows: readonly OutgoingRow[] = (yield* sql.outgoingOf.all(run)).filter(({ refused }) => refused === 1);
  const resent: ResentEvent[] = [];
  for (const { ref, type } of rows) {
    resent.push({ type, ref: (yield* sql.sendAgain.change(ref)).lastInsertRowid });
    sql.sent.run(ref);
  }
  return resent;
}
