import type { Core } from "../../sqlite/core.ts";
import type { Task } from "../../sqlite/store.ts";
import type { Database } from "./database.ts";

/** A run that is offered to all processes with its version. */
export interface OfferedRun {
  readonly ref: number;
  readonly id: string;
}

/** Offers runs that no process executes and whose versions this process has. */
export function* offer(core: Core, db: Database, me: number): Task<readonly OfferedRun[]> {
  return yield* db.ask<OfferedRun>(
    `UPDATE runs SET offered = $1 WHERE ref IN (SELECT ref FROM runs WHERE status IN ('running', 'waiting') AND owner IS NULL
      AND (offered IS NULL OR offered NOT IN (SELECT ref FROM processes)) AND workflow = ANY($2::bigint[]) ORDER BY ref LIMIT 500) RETURNING ref, id`,
    me,
    [...core.workflows.keys()],
  );
}

/** After how many timeouts of dead processes an offered run is offered again. */
export const longestOffer = 20;

/**
 * The runs that this process has offered for a number of milliseconds, and that no process has taken: DBOS may have
 * given them to a process that was about to exit.
 */
export function* untakenOf(
  db: Database,
  me: number,
  offers: Map<number, number>,
  most: number,
): Task<readonly OfferedRun[]> {
  if (offers.size === 0) return [];
  const open = yield* db.ask<OfferedRun>(
    "SELECT ref, id FROM runs WHERE offered = $1 AND owner IS NULL AND status IN ('running', 'waiting')",
    me,
  );
  const refs = new Set(open.map(({ ref }) => ref));
  for (const ref of offers.keys()) if (!refs.has(ref)) offers.delete(ref);
  return open.filter(({ ref }) => performance.now() - (offers.get(ref) ?? 0) >= most);
}
