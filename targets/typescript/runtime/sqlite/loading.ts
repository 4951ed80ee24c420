import { runWorkflow } from "../flow/run.ts";
import type { RoundState } from "../host.ts";
import type { Json, JsonObject } from "../json.ts";
import type { JournalEntry } from "../replay/replay.ts";
import { reportStart } from "../run-reports.ts";
import type { Core } from "./core.ts";
import { endRun } from "./ending.ts";
import { isOfStore } from "./file.ts";
import { durableHost } from "./host.ts";
import { recordedEntry } from "./recorded-entry.ts";
import { ReplayingRun } from "./replay.ts";
import { partsOf } from "./rows.ts";
import type { JournalRow, RoundRow, RunRow } from "./statements.ts";
import { type Task, together } from "./store.ts";

/** Loads a run into memory, and executes it with its journal. */
export function* loadRun(core: Core, row: RunRow): Task<void> {
  const workflow = core.workflows.get(row.workflow);
  if (!workflow || row.status === "stranded" || core.live.has(row.ref)) return;
  const input = JSON.parse(row.input) as Json;
  const run = new ReplayingRun(core, row, workflow);
  core.live.set(row.ref, run);
  try {
    yield* loadRecords(run, row);
  } catch (reason) {
    if (core.live.get(row.ref) === run && isOfStore(reason)) core.live.delete(row.ref);
    throw reason;
  }
  if (core.live.get(row.ref) !== run) return;
  run.isStoredAsWaiting = row.status === "waiting";
  run.activate();
  reportExecution(run);
  execute(run, input, row.parent !== null);
}

function* loadRecords(run: ReplayingRun, { ref }: RunRow): Task<void> {
  const { sql, broker } = run.core;
  for (const inbox of yield* broker.waits.inboxesOf(ref)) run.subscribed.add(inbox);
  for (const wait of yield* broker.waits.waitsOf(ref)) run.storedWaits.set(partsOf(wait.id)[1], wait);
  const [journal, rounds, last] = yield* together(sql.journal.all(ref), sql.rounds.all(ref), sql.lastSeq.get(ref, ref));
  run.replay(withRounds(run, journalOf(run, journal), rounds));
  run.loadedTo = last!.seq;
  run.seq = run.loadedTo + 1;
}

/** Logs the beginning of a new run, and reports that a run continues. */
function reportExecution({ core, name, loadedTo }: ReplayingRun): void {
  const { telemetry } = core.options;
  const isNew = loadedTo <= 0;
  if (isNew) reportStart(core.options, name);
  telemetry?.resumed(name);
}

function execute(run: ReplayingRun, input: Json, isSubflow: boolean): void {
  const { core, workflow, signal } = run;
  const cast = { host: durableHost(run), workflow, functions: core.options.functions };
  runWorkflow(cast, { input, prefix: "", position: [], signal, isSubflow }).then(
    (output) => endRun(run, { output }),
    (thrown: unknown) => endRun(run, { thrown }),
  );
}

function journalOf(run: ReplayingRun, rows: readonly JournalRow[]): readonly JournalEntry[] {
  const entries: JournalEntry[] = [];
  for (const row of rows) {
    if (row.kind === "retried") run.retried.set(row.key, (run.retried.get(row.key) ?? 0) + 1);
    else if (row.kind === "due") run.dues.set(row.key, { at: row.at, due: Number(row.value) });
    else entries.push(entryOf(run, row));
  }
  return entries;
}

function entryOf(run: ReplayingRun, row: JournalRow): JournalEntry {
  const { seq, key } = row;
  run.ahead.add(key);
  const give = recordedEntry(run, row);
  const giveOnce = () => {
    run.ahead.delete(key);
    if (give()) return true;
    run.late.set(key, { seq, give });
    return false;
  };
  return { seq, give: giveOnce };
}

/** Inserts the rounds of loops behind the entries that the run had received when they began. */
function withRounds(
  run: ReplayingRun,
  entries: readonly JournalEntry[],
  rounds: readonly RoundRow[],
): readonly JournalEntry[] {
  const all = [...entries];
  for (const row of rounds) {
    const key = `${row.prefix}\n${row.name}`;
    const state: RoundState = {
      data: JSON.parse(row.data) as JsonObject,
      entered: JSON.parse(row.entered) as RoundState["entered"],
    };
    run.rounds.set(key, { since: row.since, after: row.after, state });
    run.ahead.add(key);
    const give = () => {
      run.ahead.delete(key);
      return run.settle(key, ({ resolve }) => resolve(state));
    };
    const entry = { seq: row.after, give };
    all.splice(placeOf(all, row), 0, entry);
  }
  return all;
}

function placeOf(entries: readonly JournalEntry[], { after }: RoundRow): number {
  const place = entries.findIndex(({ seq }) => seq > after);
  return place < 0 ? entries.length : place;
}
