import type { ForgetResult } from "../engine.ts";
import type { Core } from "./core.ts";
import { forgetEvents } from "./retention.ts";
import type { Task } from "./store.ts";

/** The runs that a slice examines and deletes at most, and the milliseconds after which it ends. */
const [maxExamined, maxDeleted, maxTime] = [5000, 250, 8];

/** The events that a slice examines at most. */
const maxEvents = 2000;

/**
 * Deletes the runs that ended before an instant, and events as old. Returns the number of runs. It works in slices, each
 * in a transaction of its own, so that other work has its turn.
 */
export async function pruneRuns(core: Core, before: number): Promise<number> {
  let count = 0;
  const { first, last } = (await core.read(core.sql.runBounds.get()))!;
  for (let from = first - 1; from < last && !core.isClosing; ) {
    const slice = await inSlice(core, () => pruneSlice(core, from, before));
    count += slice.count;
    from = slice.next;
    await core.space?.returnPages();
  }
  await pruneEvents(core, before);
  await core.space?.returnPages();
  core.space?.emptyLog();
  return count;
}

/** Deletes a run that has ended, with all its data. */
export async function forgetRun(core: Core, id: string): Promise<ForgetResult> {
  const { sql } = core;
  const result = await inSlice(core, function* (): Task<ForgetResult> {
    if (!(yield* sql.runById.get(id))) return "missing";
    const run = yield* sql.doneRun.get(id);
    if (!run) return "active";
    yield* deleteRuns(core, [run.ref]);
    return "forgotten";
  });
  if (result === "forgotten") {
    await core.space?.returnPages();
    core.space?.emptyLog();
  }
  return result;
}

/** Executes a task in a transaction, after other work has had its turn. */
async function inSlice<T>(core: Core, act: () => Task<T> | T): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, 1));
  return core.commits.ask(act, () => undefined);
}

/** Deletes the next old runs after one. Returns their number, and the last run that it has examined. */
function* pruneSlice(
  core: Core,
  from: number,
  before: number,
): Task<{ readonly count: number; readonly next: number }> {
  const to = from + maxExamined;
  const refs = (yield* core.sql.doomedRuns.all(from, to, before, maxDeleted)).map(({ ref }) => ref);
  const end = performance.now() + maxTime;
  // A run may be large, so a file is changed run by run; a database deletes all of them at once.
  const atOnce = core.space ? 1 : maxDeleted;
  let count = 0;
  for (; count < refs.length && (count === 0 || performance.now() < end); count += atOnce)
    yield* deleteRuns(core, refs.slice(count, count + atOnce));
  count = Math.min(count, refs.length);
  const isComplete = count === refs.length && refs.length < maxDeleted;
  return { count, next: isComplete ? to : refs[count - 1]! };
}

/** Deletes runs and everything that belongs to them. Within a transaction. */
function* deleteRuns({ sql, broker }: Core, refs: readonly number[]): Task<void> {
  const list = JSON.stringify(refs.map(String));
  for (const { run, inbox } of yield* sql.subscriptionsOf.all(list)) yield* broker.leave(run, inbox);
  sql.pruneJournal.run(list);
  sql.pruneRounds.run(list);
  sql.pruneOutbox.run(list);
  sql.pruneTasks.run(list);
  sql.pruneRuns.run(list);
}

/** Deletes old events that no run can use, and forgets the ids of old ones that have been used. */
async function pruneEvents(core: Core, before: number): Promise<void> {
  for (let from = 0; !core.isClosing; ) {
    from = await inSlice(core, () => forgetEvents(core, before, from));
    if (from === 0) break;
  }
  const { first, last } = (await core.read(core.sql.eventBounds.get()))!;
  for (let from = first - 1; from < last && !core.isClosing; from += maxEvents)
    await inSlice(core, () => void core.sql.pruneEvents.run(from, from + maxEvents, before));
}
