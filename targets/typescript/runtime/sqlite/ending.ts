import type { RunSummary } from "../engine.ts";
import { RunEnd, WorkflowError } from "../errors.ts";
import type { Json } from "../json.ts";
import { reportEnd } from "../run-reports.ts";
import { announce } from "./announcing.ts";
import type { Core } from "./core.ts";
import type { Decision } from "./decisions.ts";
import { instant, summaryOf } from "./reading.ts";
import { cancelled, type ReplayingRun } from "./replay.ts";
import type { LateEffect, Task } from "./store.ts";
import { storable } from "./values.ts";

/** The result of executing a run. */
type Outcome = { readonly output: Json } | { readonly thrown: unknown };

/** Records the end of a run. Detached work continues. */
export function endRun(run: ReplayingRun, outcome: Outcome): void {
  if (run.isEnded || run.core.isClosing || run.core.live.get(run.ref) !== run) return;
  const recorded = run.isReplaying ? run.mismatch() : undefined;
  if (recorded !== undefined) {
    run.strand(new Error(`The program ends where ${recorded} is recorded.`));
    return;
  }
  run.isEnded = true;
  if (run.isReplaying) run.confirm();
  const { sql, now } = run.core;
  const end = storedEnd("thrown" in outcome ? endOf(outcome.thrown) : outcome, run.core.longest);
  let [decision, summary]: [Decision | undefined, RunSummary | undefined] = [undefined, undefined];
  let stored: LateEffect | undefined;
  const store = function* (): Task<void> {
    const { broker } = run.core;
    const at = now();
    if ("output" in end) stored = sql.end.run("succeeded", at, end.output, null, null, run.ref);
    else stored = sql.end.run("failed", at, null, end.text, yield* causeOf(run, outcome, end.error), run.ref);
    summary = summaryAt(run, at, end);
    decision = undefined;
    if (run.subscribed.size === 0) return;
    decision = "output" in end ? yield* broker.leaveAll(run.ref) : yield* broker.cancelAll(run.ref);
  };
  run.setActive();
  run.write(store, () => {
    if (decision) announce(run.core, decision);
    if (summary && stored?.changes !== 0) announceEnd(run.core, summary);
  });
}

function summaryAt({ name, created }: ReplayingRun, at: number, end: StoredEnd): RunSummary {
  const times = { created: instant(created), updated: instant(at) };
  return "output" in end
    ? { ...name, status: "succeeded", ...times, output: JSON.parse(end.output) as Json }
    : { ...name, status: "failed", ...times, error: JSON.parse(end.text) as NonNullable<RunSummary["error"]> };
}

/** Cancels a run. Returns whether it was active. */
export function cancelRun(core: Core, id: string): Promise<boolean> {
  const { sql } = core;
  const store = function* (): Task<Cancellation | undefined> {
    const row = yield* sql.runById.get(id);
    if (!row || (yield* sql.end.change("cancelled", core.now(), null, null, null, row.ref)).changes === 0)
      return undefined;
    if (!core.live.has(row.ref)) yield* core.processes.stop(row.ref);
    const decision = yield* core.broker.leaveAll(row.ref);
    return { ref: row.ref, decision, summary: summaryOf(core, (yield* sql.run.get(row.ref))!) };
  };
  const after = (done: Cancellation | undefined) => {
    if (done === undefined) return;
    const run = core.live.get(done.ref);
    if (run) {
      run.isEnded = true;
      run.setActive();
      run.abort(cancelled);
      core.commits.schedule(run);
    }
    announce(core, done.decision);
    announceEnd(core, done.summary);
  };
  return core.commits.ask(store, after).then((done) => done !== undefined);
}

/** A cancelled run. */
interface Cancellation {
  readonly ref: number;
  readonly decision: Decision;
  readonly summary: RunSummary;
}

/** Reports the end of a run, also to the callers that wait for it. */
function announceEnd(core: Core, summary: RunSummary): void {
  const { id } = summary;
  reportEnd(core.options, summary);
  for (const watcher of core.watchers.get(id) ?? []) watcher.ended(summary);
  core.watchers.delete(id);
}

function endOf(thrown: unknown): { readonly output: Json } | { readonly error: Error } {
  if (thrown instanceof RunEnd)
    return "value" in thrown.ending ? { output: thrown.ending.value } : { error: thrown.ending.error };
  return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
}

/** The stored form of an end. */
type StoredEnd = { readonly output: string } | { readonly error: Error; readonly text: string };

/** The stored form of an end. An output that is too large becomes a failure. */
function storedEnd(end: ReturnType<typeof endOf>, longest: number): StoredEnd {
  try {
    if ("output" in end) return { output: storable(JSON.stringify(end.output), longest) };
    return { error: end.error, text: storable(errorText(end.error), longest) };
  } catch (reason) {
    const why = reason instanceof Error ? reason.message : String(reason);
    const error = new WorkflowError("DataError", `The output cannot be recorded: ${why}.`);
    return { error, text: errorText(error) };
  }
}

const errorText = (error: Error): string =>
  JSON.stringify({
    name: error.name,
    message: error.message,
    data: error instanceof WorkflowError ? error.data : undefined,
  });

/**
 * The journal entry that made a run fail: the failure itself, an equal one if it was raised again, or a timeout; null
 * if the failure is not recorded.
 */
function* causeOf(run: ReplayingRun, outcome: Outcome, error: Error): Task<number | null> {
  const known =
    run.causes.get(error) ??
    ("thrown" in outcome && outcome.thrown instanceof Error ? run.causes.get(outcome.thrown) : undefined);
  if (known !== undefined) return known;
  const [last] = yield* run.core.sql.failures.all(run.ref);
  const failed = last?.value
    ? (JSON.parse(last.value) as { readonly name?: string; readonly message?: string })
    : undefined;
  if (last && failed?.name === error.name && failed.message === error.message) return last.seq;
  if (!(error instanceof WorkflowError && error.origin === "timeout")) return null;
  const timeouts = (yield* run.core.sql.journal.all(run.ref)).filter(
    ({ kind, key }) => kind === "fired" && /(?<!#)(?:##)*#timeout(?:#\d+)?$/.test(key),
  );
  return timeouts.at(-1)?.seq ?? null;
}
