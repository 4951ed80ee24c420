import type { Core } from "./core.ts";
import { sendAgain } from "./outbox.ts";
import { eventsIn } from "./recorded-answer.ts";
import type { JournalRow, RoundRow, RunRow } from "./statements.ts";

/**
 * Continues a failed run: the failure and everything recorded after it are deleted, and the time since then does not
 * count for its timers. A stranded run continues unchanged.
 */
export function retryRun(core: Core, id: string): Promise<boolean> {
  const { sql } = core;
  const store = () => {
    const row = sql.runById.get(id);
    if (!row) return undefined;
    const done = { ref: row.ref, types: sendAgain(core, row.ref), isResumed: resume(core, row) };
    return done.isResumed || done.types.length > 0 ? done : undefined;
  };
  const after = (done: ReturnType<typeof store>) => {
    if (done === undefined) return;
    for (const type of done.types) core.outbox?.added(type);
    if (!done.isResumed) return;
    core.stranded.delete(done.ref);
    core.live.get(done.ref)?.drop();
    core.wake(done.ref);
  };
  return core.commits.ask(store, after).then((done) => done !== undefined);
}

/** Returns whether the run continues. */
function resume(core: Core, row: RunRow): boolean {
  const { sql } = core;
  const now = core.now();
  if (row.status === "stranded") return sql.revive.run(row.ref).changes > 0;
  if (sql.again.run(now, row.ref).changes === 0) return false;
  if (row.cause !== null) deleteFrom(core, row, row.cause);
  sql.shiftDue.run(now - row.updated, now - row.updated, row.ref);
  return true;
}

/**
 * Deletes a failure and the later entries, except in branches whose loops have begun new rounds since: they would start
 * over.
 */
function deleteFrom({ sql, now, broker }: Core, { ref }: RunRow, cause: number): void {
  let seq = sql.lastSeq.get(ref, ref)!.seq;
  const others = sql.rounds.all(ref).filter(({ after, prefix }) => after >= cause && prefix !== "");
  for (const row of sql.journalFrom.all(ref, cause)) {
    if (row.kind === "retried" || (row.seq !== cause && isOf(row, others))) continue;
    sql.forget.run(ref, row.seq);
    if (row.kind === "value") broker.restore(ref, "", eventsIn(row.value));
    if (row.kind === "failure") sql.record.run(ref, ++seq, row.key, "retried", null, now());
    if (row.kind === "fired") sql.forgetDue.run(ref, row.key);
  }
}

const isOf = ({ key }: JournalRow, rounds: readonly RoundRow[]): boolean =>
  rounds.some(({ prefix }) => key.startsWith(prefix));
