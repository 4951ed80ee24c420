import { announce, catchUp, decodePayload, unplaced } from "../../internal.ts";
import type { Core } from "../../sqlite/core.ts";
import type { JournalRow } from "../../sqlite/statements.ts";
import type { Task } from "../../sqlite/store.ts";
import type { Database } from "./database.ts";

/** An answer that another process has stored for a run, with a provisional number. */
type ProvisionalAnswer = JournalRow & { readonly run: number };

/** Renumbers answers that other processes have stored for runs of this one, and passes them to the runs. */
export function* place(core: Core, db: Database, me: number): Task<void> {
  const found = () =>
    db.ask<ProvisionalAnswer>(
      `SELECT journal.run, journal.seq, journal.key, journal.kind, journal.value, journal.at
        FROM journal JOIN runs ON runs.ref = journal.run WHERE seq >= ${unplaced} AND owner = $1 ORDER BY seq`,
      me,
    );
  if (!(yield* found()).some(({ run }) => core.live.has(run))) return;
  const apply = function* (): Task<readonly { readonly run: number; readonly row: JournalRow }[]> {
    db.keepOut();
    const answers: { readonly run: number; readonly row: JournalRow }[] = [];
    for (const { run, ...row } of yield* found()) {
      const live = core.live.get(run);
      if (!live) continue;
      const seq = live.reserve();
      yield* db.ask("UPDATE journal SET seq = $3 WHERE run = $1 AND seq = $2", run, row.seq, seq);
      answers.push({ run, row: { ...row, seq, value: decodePayload(row.value, core.options.codec) } });
    }
    return answers;
  };
  core.commits.ask(apply, (answers) => announce(core, { answers, started: [] })).catch(() => undefined);
}

/** Does the same for a run that is not in memory: the answers follow its own entries. */
export function* placeAll(core: Core, db: Database, run: number): Task<void> {
  const rows = yield* db.ask<{ readonly seq: number }>(
    `SELECT seq FROM journal WHERE run = $1 AND seq >= ${unplaced} ORDER BY seq`,
    run,
  );
  let last = rows.length === 0 ? 0 : (yield* core.sql.lastSeq.get(run, run))!.seq;
  for (const { seq } of rows)
    yield* db.ask("UPDATE journal SET seq = $3 WHERE run = $1 AND seq = $2", run, seq, ++last);
}

/** Continues the runs of versions that other processes lack with the events that these have accepted. */
export function* catchUpAll(core: Core, db: Database): Task<void> {
  const rows = yield* db.ask<{ readonly workflow: number }>(
    "SELECT DISTINCT workflow FROM missed WHERE workflow = ANY($1::bigint[])",
    [...core.workflows.keys()],
  );
  for (const { workflow } of rows) {
    const apply = function* () {
      db.keepOut();
      return yield* catchUp(core, workflow);
    };
    core.commits.ask(apply, (decision) => announce(core, decision)).catch(() => undefined);
  }
}

/** Stops runs that other processes have cancelled. */
export function* stopNoticed(core: Core, db: Database, me: number): Task<void> {
  const notices = yield* db.ask<{ readonly run: number }>("DELETE FROM notices WHERE process = $1 RETURNING run", me);
  for (const { run: ref } of notices) {
    const run = core.live.get(ref);
    if (!run) continue;
    run.isEnded = true;
    run.setActive();
    run.abort("The run was cancelled.");
    core.commits.schedule(run);
  }
}
