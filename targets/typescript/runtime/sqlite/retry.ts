import { CannotRetry } from "../errors.ts";
import type { Core } from "./core.ts";
import { type ResentEvent, sendAgain } from "./outbox.ts";
import { eventsIn } from "./recorded-answer.ts";
import type { JournalRow, RoundRow, RunRow } from "./statements.ts";
import type { Task } from "./store.ts";
import { callKeyOf, endedStep, isTokenKey, tokenKeyOf } from "./task-keys.ts";

/** How a run is retried. */
interface RetryOptions {
  /** The key of the step from which on everything is repeated; by default, the step that failed. */
  readonly from?: string | undefined;
}

/**
 * Continues a failed run: the failure and everything recorded after it are deleted, and the time since then does not
 * count for its timers. A stranded run continues unchanged.
 */
export function retryRun(core: Core, id: string, { from }: RetryOptions = {}): Promise<boolean> {
  const { sql } = core;
  const store = function* (): Task<RetriedRun | undefined> {
    const row = yield* sql.runById.get(id);
    if (!row) return undefined;
    const start = from === undefined ? undefined : yield* requireStep(core, row, from);
    const resent = yield* sendAgain(core, row.ref);
    const done = { ref: row.ref, resent, isResumed: yield* resume(core, row, start) };
    return done.isResumed || done.resent.length > 0 ? done : undefined;
  };
  const after = (done: RetriedRun | undefined) => {
    if (done === undefined) return;
    for (const { type, ref } of done.resent) core.outbox?.added(type, ref);
    if (!done.isResumed) return;
    core.stranded.delete(done.ref);
    core.live.get(done.ref)?.drop();
    core.wake(done.ref);
  };
  return core.commits.ask(store, after).then((done) => done !== undefined);
}

/** A run that was retried. */
interface RetriedRun {
  readonly ref: number;
  /** The events that are sent again. */
  readonly resent: readonly ResentEvent[];
  readonly isResumed: boolean;
}

/** The place in the journal from which on a run is repeated. Throws if the journal does not allow it. */
function* requireStep({ sql }: Core, row: RunRow, from: string): Task<number> {
  if (row.status !== "failed") throw new CannotRetry("Only a failed run can be repeated from a step.");
  const token = (yield* sql.firstOf.get(row.ref, tokenKeyOf(callKeyOf(from))))?.seq;
  const seq = token ?? (yield* sql.firstOf.get(row.ref, from))?.seq ?? undefined;
  if (seq === undefined)
    throw new CannotRetry("The step is not recorded: it has not ended, or a loop has begun another round since.");
  if ((yield* sql.rounds.all(row.ref)).some(({ since, after }) => since <= seq && seq <= after))
    throw new CannotRetry("A loop has begun another round since this step, and what it had recorded is deleted.");
  return seq;
}

/** Returns whether the run continues: from the failure, or from a place in its journal. */
function* resume(core: Core, row: RunRow, start: number | undefined): Task<boolean> {
  const { sql } = core;
  const now = core.now();
  if (row.status === "stranded") return (yield* sql.revive.change(row.ref)).changes > 0;
  if ((yield* sql.again.change(now, row.ref)).changes === 0) return false;
  if (start !== undefined) yield* repeatFrom(core, row, start);
  else if (row.cause !== null) yield* deleteFrom(core, row, row.cause);
  sql.shiftDue.run(now - row.updated, now - row.updated, row.ref);
  return true;
}

/**
 * Deletes a failure and the later entries, except in branches whose loops have begun new rounds since: they would start
 * over.
 */
function* deleteFrom({ sql, now, broker }: Core, { ref }: RunRow, cause: number): Task<void> {
  yield* forgetTask(sql, ref, cause);
  let seq = (yield* sql.lastSeq.get(ref, ref))!.seq;
  const others = (yield* sql.rounds.all(ref)).filter(({ after, prefix }) => after >= cause && prefix !== "");
  for (const row of yield* sql.journalFrom.all(ref, cause)) {
    if (row.kind === "retried" || (row.seq !== cause && isOf(row, others))) continue;
    sql.forget.run(ref, row.seq);
    if (row.kind === "value") yield* broker.restore(ref, "", eventsIn(row.value));
    if (row.kind === "failure") sql.record.run(ref, ++seq, row.key, "retried", null, now());
    if (row.kind === "fired") sql.forgetDue.run(ref, row.key);
  }
}

/** Deletes everything from a place in the journal on, so that functions are called again, with new keys. */
function* repeatFrom({ sql, now, broker }: Core, { ref }: RunRow, start: number): Task<void> {
  let seq = (yield* sql.lastSeq.get(ref, ref))!.seq;
  const repeated = new Set<string>();
  for (const row of yield* sql.journalFrom.all(ref, start)) {
    if (row.kind === "retried") continue;
    sql.forget.run(ref, row.seq);
    if (row.kind === "value") yield* broker.restore(ref, "", eventsIn(row.value));
    if (row.kind === "fired") sql.forgetDue.run(ref, row.key);
    if (row.kind === "value" || row.kind === "failure") repeated.add(row.key);
  }
  for (const key of repeated) sql.record.run(ref, ++seq, key, "retried", null, now());
  sql.forgetRoundsFrom.run(ref, start);
}

/**
 * If the failure is that of a task, deletes its token, its call and its timer too: the call is repeated with another
 * token. What other branches have recorded since stays.
 */
function* forgetTask(sql: Core["sql"], ref: number, cause: number): Task<void> {
  const journal = yield* sql.journal.all(ref);
  const step = endedStep(journal.find(({ seq }) => seq === cause)?.key ?? "");
  const isToken = ({ seq, key }: JournalRow) =>
    seq < cause && isTokenKey(key) && key.replace(/#token(?:#\d+)?$/, "") === step;
  const token = step === undefined ? undefined : journal.findLast(isToken);
  if (!token) return;
  const call = callKeyOf(token.key);
  let seq = (yield* sql.lastSeq.get(ref, ref))!.seq;
  for (const row of journal) {
    if (row.seq < token.seq || row.seq >= cause) continue;
    const isTimer = row.kind === "due" && endedStep(row.key) === step;
    if (row.key !== token.key && row.key !== call && !isTimer) continue;
    sql.forget.run(ref, row.seq);
    if (row.key === call) sql.record.run(ref, ++seq, call, "retried", null, row.at);
  }
}

const isOf = ({ key }: JournalRow, rounds: readonly RoundRow[]): boolean =>
  rounds.some(({ prefix }) => key.startsWith(prefix));
