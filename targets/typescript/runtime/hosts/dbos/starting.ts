import { unplaced } from "../../internal.ts";
import type { Core } from "../../sqlite/core.ts";
import type { Shell } from "./adapter.ts";
import type { Database } from "./database.ts";

/** Starts runs. */
interface RunStarter {
  /** Schedules the start of a run. */
  dispatch(run: number): void;
  /** Starts the scheduled runs now. */
  go(): void;
  /** Begins a new run of this process; false if it is not one, or has changed in the meantime. */
  begin(run: number, here: () => void): boolean;
}

/** How to handle runs that are not assigned to this process, and failures of the database. */
interface OtherRuns {
  free(): void;
  elsewhere(): void;
  failed(reason: unknown): void;
}

/**
 * Lets DBOS begin the runs that this process creates. Finds many runs with one query, and reads the records of a run
 * together.
 */
export function createStarter(
  core: Core,
  db: Database,
  me: number | undefined,
  shell: Shell,
  { free, elsewhere, failed }: OtherRuns,
): RunStarter {
  const own = new Set<number>();
  const due = new Set<number>();
  const start = (): void => {
    const rows = db.ask("SELECT ref, id, owner FROM runs WHERE ref = ANY($1::bigint[]) ORDER BY ref", [
      ...due,
    ]) as readonly { readonly ref: number; readonly id: string; readonly owner: number | null }[];
    due.clear();
    for (const { ref, id, owner } of rows) {
      if (owner !== me) continue;
      own.add(ref);
      shell.start({ ref, id });
    }
    if (rows.some(({ owner }) => owner === null)) free();
    if (rows.some(({ owner }) => owner !== null && owner !== me)) elsewhere();
  };
  const go = (): void => {
    if (due.size === 0 || core.isClosing || core.commits.isStopped) return;
    try {
      start();
    } catch (reason) {
      failed(reason);
    }
  };
  return {
    dispatch(run) {
      if (due.size === 0) setImmediate(go);
      due.add(run);
    },
    go,
    begin(run, here) {
      if (!own.delete(run)) return false;
      const { sql } = core;
      const reads = [sql.subscriptions, sql.waitsOfRun, sql.journal, sql.rounds].map(
        (statement) => [statement, run] as const,
      );
      return db.ahead([[sql.run, run], [sql.lastSeq, run, run], ...reads], ([row, last]) => {
        const { owner, status } = (row ?? {}) as { readonly owner?: number; readonly status?: string };
        const isActive = owner === me && (status === "running" || status === "waiting");
        if (!isActive || (last as { readonly seq: number }).seq >= unplaced) return false;
        here();
        core.wake(run);
        return true;
      });
    },
  };
}
