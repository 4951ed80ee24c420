import type { StoredEvent } from "../../../../src/events/partition.ts";
import type { JsonObject } from "../../../../src/json.ts";
import type { Core } from "./core.ts";
import { inTransaction } from "./opening.ts";
import { storedEvent } from "./reading.ts";
import type { Task } from "./store.ts";

/** How long unused events are kept at least, in seconds. */
const defaultKeepEvents = 7 * 86_400;

/** How often events are deleted, in milliseconds, and how many at once. */
const [interval, batch] = [60_000, 1000];

/**
 * Deletes unused events that are old enough, unless a run is active that began before them and may receive them, or
 * they are collected to start one.
 * Returns a function that does so at most once a minute.
 */
export function retentionOf(core: Core): () => void {
  let [last, order] = [Number.NEGATIVE_INFINITY, 0];
  return () => {
    const now = core.now();
    if (core.options.forgetsEvents === false || now - last < interval) return;
    last = now;
    const before = now - (core.options.keepEvents ?? defaultKeepEvents) * 1000;
    const forget = function* (): Task<void> {
      try {
        order = yield* inTransaction(core.db, () => forgetEvents(core, before, order));
      } catch (reason) {
        core.broker.waits.clear();
        core.log({ level: "warn", message: "Unused events cannot be deleted.", reason: String(reason) });
      }
    };
    void core.db.execute(forget());
  };
}

/** Deletes tasks that ended before an instant, and unused events that arrived before it, from an order on. Returns the last order examined, or 0. Within a transaction. */
export function* forgetEvents(core: Core, before: number, from = 0): Task<number> {
  const { sql, broker, log } = core;
  sql.forgetTasks.run(before);
  sql.endAbandoned.run();
  yield* broker.sweep();
  const rows = yield* sql.oldEvents.all(before, from, batch);
  if (rows.length === 0) return 0;
  // This examines all active runs, so it must not happen each minute without need.
  const oldest = new Map((yield* sql.oldestSubscriptions.all()).map(({ workflow, after }) => [workflow, after]));
  for (const { ref, text, state } of rows) {
    const { isFree, collectedBy } = JSON.parse(state) as Pick<StoredEvent, "isFree" | "collectedBy">;
    const event = storedEvent(core, ref, text);
    if (event && (!isFree || collectedBy || isAwaited(core, oldest, ref, event as JsonObject))) continue;
    broker.forget(ref);
    log({ level: "debug", message: "An unused event is deleted.", event: ref });
  }
  return rows.length < batch ? 0 : rows.at(-1)!.ref;
}

/** Whether a run that began before an event may receive it. Nothing is known of versions that are missing. */
const isAwaited = (
  { workflows, broker }: Core,
  oldest: ReadonlyMap<number, number>,
  order: number,
  event: JsonObject,
): boolean =>
  [...oldest].some(([ref, after]) => {
    const workflow = workflows.get(ref);
    return after < order && (!workflow || broker.concerns(workflow, event));
  });
