import { unplaced } from "../../sqlite/cluster.ts";
import type { Core } from "../../sqlite/core.ts";
import type { Database } from "./database.ts";
import type { Shell } from "./shell.ts";

/** Who sees to it that runs begin. */
interface Beginner {
  /** Sees to it soon that a run goes on. */
  dispatch(run: number): void;
  /** Sees to it now, for all of which that has not been done. */
  go(): void;
  /** Begins a run that this process has made, and nobody has gone on with: false where it is none, or something has come between. */
  begin(run: number, here: () => void): boolean;
}

/** What is to be done with runs that are not this process's, and where the database fails. */
interface Otherwise {
  free(): void;
  elsewhere(): void;
  failed(reason: unknown): void;
}

/** Has DBOS begin the runs that this process makes. Many at once are looked for together, and what is recorded of one is read in one go. */
export function beginnerOf(
  core: Core,
  db: Database,
  me: number | undefined,
  shell: Shell,
  { free, elsewhere, failed }: Otherwise,
): Beginner {
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
    if (due.size === 0 || core.isClosing || core.turns.isStopped) return;
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
