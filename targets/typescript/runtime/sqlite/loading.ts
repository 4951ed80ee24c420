import type { CloudEvent } from "../events.ts";
import { runWorkflow } from "../flow/run.ts";
import type { RoundState } from "../host.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Core } from "./core.ts";
import { endRun } from "./ending.ts";
import { durableHost } from "./host.ts";
import { RunInbox } from "./inbox.ts";
import { type Entry, LiveRun } from "./live.ts";
import { arrival } from "./sharing.ts";
import type { JournalRow, RoundRow, RunRow } from "./statements.ts";
import { failureIn, tokenIn, valueIn } from "./values.ts";

/** Brings a run into memory, and executes it again with its journal. */
export function loadRun(core: Core, row: RunRow): void {
  const workflow = core.workflows.get(row.workflow);
  if (!workflow || row.status === "stranded" || core.live.has(row.ref)) return;
  const input = JSON.parse(row.input) as Json;
  const run = new LiveRun(core, row, workflow);
  core.live.set(row.ref, run);
  openInboxes(run, tokenIn(row.token));
  const entries = [...journalOf(run), ...arrivalsOf(run)].sort((a, b) => a.seq - b.seq);
  run.replay(withRounds(run, entries));
  run.loadedTo = core.sql.lastSeq.get(row.ref, row.ref, row.ref)!.seq;
  run.seq = run.loadedTo + 1;
  run.isStoredAsWaiting = row.status === "waiting";
  run.activate();
  tellThatItGoesOn(run);
  execute(run, input, row.parent !== null);
}

/** A run of which nothing is recorded begins. */
function tellThatItGoesOn({ core, name, loadedTo }: LiveRun): void {
  const { telemetry } = core.options;
  const isNew = loadedTo <= 0;
  if (isNew) {
    telemetry?.started(name);
    core.log({ level: "info", message: "The run begins.", run: name.id, workflow: name.workflow });
  }
  telemetry?.goesOn(name);
}

function execute(run: LiveRun, input: Json, isSubflow: boolean): void {
  const { core, workflow, signal } = run;
  const cast = { host: durableHost(run), workflow, functions: core.options.functions };
  runWorkflow(cast, { input, prefix: "", position: [], signal, isSubflow }).then(
    (output) => endRun(run, { output }),
    (thrown: unknown) => endRun(run, { thrown }),
  );
}

function openInboxes(run: LiveRun, token: Json | undefined): void {
  const { core, workflow } = run;
  const root = new RunInbox(run, "", workflow, true);
  root.begin(token);
  run.inboxes.set("", root);
  for (const { inbox, definition } of core.sql.interests.all(run.ref)) {
    const known = run.listening.get(inbox) ?? [];
    run.listening.set(inbox, definition === "" ? known : [...known, definition]);
  }
}

function journalOf(run: LiveRun): readonly Entry[] {
  const entries: Entry[] = [];
  for (const row of run.core.sql.journal.all(run.ref)) {
    if (row.kind === "retried") run.retried.set(row.key, (run.retried.get(row.key) ?? 0) + 1);
    else if (row.kind === "due") run.dues.set(row.key, { at: row.at, due: Number(row.value) });
    else entries.push(entryOf(run, row));
  }
  return entries;
}

function entryOf(run: LiveRun, { seq, key, kind, value }: JournalRow): Entry {
  run.ahead.add(key);
  const tell = () =>
    run.settle(key, ({ resolve, reject, again }) => {
      if (kind === "begun") again?.(seq);
      if (kind !== "failure") return resolve(readable(key, () => valueIn(value)));
      const failure = readable(key, () => failureIn(value));
      run.causes.set(failure, seq);
      reject(failure);
    });
  const entry = { seq, give: tell };
  const giveOnce = () => {
    run.ahead.delete(key);
    if (tell()) return true;
    run.late.set(key, entry);
    return false;
  };
  return { seq, give: giveOnce };
}

/** What is read of a step; what is damaged says of which step it is. */
function readable<T>(key: string, read: () => T): T {
  try {
    return read();
  } catch (reason) {
    const why = reason instanceof Error ? reason.message : String(reason);
    throw new Error(`What is recorded of ${key} cannot be read: ${why}`);
  }
}

/** What started the run is there from the beginning; the rest comes in its turn. */
function arrivalsOf(run: LiveRun): readonly Entry[] {
  const all = run.core.sql.inbox.all(run.ref).map(({ seq, inbox, number, shared, text }) => {
    const place = { seq, number, isShared: seq >= 0 && shared === 1 };
    return { inbox, place, event: JSON.parse(text) as CloudEvent };
  });
  for (const { inbox, place, event } of all) if (place.seq < 0) run.inboxes.get(inbox)?.arrive(place, event);
  return all.filter(({ place }) => place.seq >= 0).map(({ inbox, place, event }) => arrival(run, inbox, place, event));
}

/** Puts the rounds of loops after all that the run had been told when they began. */
function withRounds(run: LiveRun, entries: readonly Entry[]): readonly Entry[] {
  const all = [...entries];
  for (const row of run.core.sql.rounds.all(run.ref)) {
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

function placeOf(entries: readonly Entry[], { after }: RoundRow): number {
  const place = entries.findIndex(({ seq }) => seq > after);
  return place < 0 ? entries.length : place;
}
