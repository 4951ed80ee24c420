import { together, unplaced } from "../../internal.ts";
import type { Core } from "../../sqlite/core.ts";
import type { Task } from "../../sqlite/store.ts";
import type { Shell } from "./adapter.ts";
import type { Database } from "./database.ts";

/** Starts runs. */
interface RunStarter {
  /** Schedules the start of a run. */
  dispatch(run: number): void;
  /** Starts the scheduled runs now. */
  go(): Task<void>;
  /** Whether a run is a new one of this process, and has not changed in the meantime. */
  isNew(run: number): Task<boolean>;
}

/** How to handle runs that are not assigned to this process, and failures of the database. */
interface OtherRuns {
  free(): void;
  elsewhere(): void;
  failed(reason: unknown): void;
}

/** Lets DBOS begin the runs that this process creates. Finds many runs with one query. */
export function createStarter(
  core: Core,
  db: Database,
  me: number | undefined,
  shell: Shell,
  { free, elsewhere, failed }: OtherRuns,
): RunStarter {
  const own = new Set<number>();
  const due = new Set<number>();
  const go = function* (): Task<void> {
    if (due.size === 0 || core.isClosing || core.commits.isStopped) return;
    const wanted = [...due];
    const rows = yield* db.ask<{ readonly ref: number; readonly id: string; readonly owner: number | null }>(
      "SELECT ref, id, owner FROM runs WHERE ref = ANY($1::bigint[]) ORDER BY ref",
      wanted,
    );
    for (const ref of wanted) due.delete(ref);
    for (const { ref, id, owner } of rows) {
      if (owner !== me) continue;
      own.add(ref);
      shell.start({ ref, id });
    }
    if (rows.some(({ owner }) => owner === null)) free();
    if (rows.some(({ owner }) => owner !== null && owner !== me)) elsewhere();
  };
  let isGoing = false;
  const goSoon = () => {
    if (isGoing) return;
    isGoing = true;
    setImmediate(() => {
      isGoing = false;
      db.execute(go()).catch(failed);
    });
  };
  return {
    dispatch(run) {
      due.add(run);
      goSoon();
    },
    go,
    *isNew(run) {
      if (!own.delete(run)) return false;
      const { sql } = core;
      const [row, last] = yield* together(sql.run.get(run), sql.lastSeq.get(run, run));
      const { owner, status } = (row ?? {}) as { readonly owner?: number; readonly status?: string };
      return owner === me && (status === "running" || status === "waiting") && last!.seq < unplaced;
    },
  };
}
