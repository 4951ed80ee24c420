import type { Core } from "../../sqlite/core.ts";
import type { Reading, Task } from "../../sqlite/store.ts";
import type { Database } from "./database.ts";
import { placeAll } from "./journal-order.ts";
import { isGone } from "./opening.ts";
import { deathsTogether } from "./suspects.ts";

/** A process on the database. */
export interface Process {
  readonly ref: number;
  readonly executor: string;
}

/** The processes whose sessions have been gone for long enough. Empty shortly after the database has started. */
export function* deadAmong(
  db: Database,
  others: readonly Process[],
  me: number,
  suspects: Map<number, number>,
  patience: number,
): Task<readonly Process[]> {
  const now = performance.now();
  const gone: Process[] = [];
  for (const other of others) if (other.ref !== me && (yield* isGone(db, other.ref))) gone.push(other);
  for (const ref of suspects.keys()) if (!gone.some((each) => each.ref === ref)) suspects.delete(ref);
  for (const { ref } of gone) if (!suspects.has(ref)) suspects.set(ref, now);
  const late = gone.filter(({ ref }) => now - suspects.get(ref)! >= patience);
  if (late.length === 0) return [];
  const [up] = yield* db.ask<{ readonly up: number }>(
    "SELECT extract(epoch FROM now() - pg_postmaster_start_time())::float8 * 1000 AS up",
  );
  return up!.up > patience * 2 ? late : [];
}

/** Releases the runs of dead processes. Of several suspects, only the one that a process had begun last has one more death. */
export function* bury(db: Database, dead: readonly Process[]): Task<void> {
  for (const { ref } of dead) {
    yield* db.ask(
      `UPDATE runs SET owner = NULL, deaths = deaths + (status = 'running' AND (deaths < $2
        OR ref IS NOT DISTINCT FROM (SELECT suspect FROM processes WHERE processes.ref = $1)))::int WHERE owner = $1`,
      ref,
      deathsTogether,
    );
    yield* db.ask("DELETE FROM notices WHERE process = $1", ref);
    yield* db.ask("DELETE FROM processes WHERE ref = $1", ref);
  }
  if (dead.length > 0) yield* db.ask("UPDATE runs SET offered = NULL WHERE owner IS NULL AND offered IS NOT NULL");
}

/** An event to send. */
export interface Outgoing {
  readonly type: string;
  readonly ref: number;
}

/** The events of dead processes whose runs no process executes. */
export const leftBehind = `(owner IS NULL OR owner NOT IN (SELECT ref FROM processes))
  AND run NOT IN (SELECT ref FROM runs WHERE status IN ('running', 'waiting'))`;

/** Moves events of other processes to the end of the outbox of this one. Within a transaction. */
export const takeOutgoing = (
  db: Database,
  which: string,
  ...values: readonly unknown[]
): Reading<readonly Outgoing[]> =>
  db.ask<Outgoing>(
    `WITH gone AS (DELETE FROM outbox WHERE refused = 0 AND ${which} RETURNING ref, run, type, text, at)
      INSERT INTO outbox (run, type, text, at) SELECT run, type, text, at FROM gone ORDER BY ref RETURNING type, ref`,
    ...values,
  );

/**
 * Assigns a run without a process to this one, with the events that it has emitted. Returns how often processes have
 * died with it; undefined if another process executes it.
 */
export function* takeOver(
  core: Core,
  db: Database,
  run: number,
  me: number,
): Task<{ readonly deaths: number; readonly types: readonly Outgoing[] } | undefined> {
  yield* db.begin;
  db.keepOut();
  const [row] = yield* db.ask<{ readonly deaths: number }>(
    "UPDATE runs SET owner = $2, offered = NULL WHERE ref = $1 AND (owner IS NULL OR owner = $2) AND status IN ('running', 'waiting') RETURNING deaths",
    run,
    me,
  );
  if (row && !core.live.has(run)) yield* placeAll(core, db, run);
  const types = row ? yield* takeOutgoing(db, "run = $1 AND owner IS DISTINCT FROM $2", run, me) : [];
  yield* db.commitRepeatable;
  return row && { deaths: row.deaths, types };
}
