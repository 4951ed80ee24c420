import { announce, catchUp, unplaced } from "../../internal.ts";
import type { Core } from "../../sqlite/core.ts";
import type { JournalRow } from "../../sqlite/statements.ts";
import type { Database } from "./database.ts";

/** An answer that another process has stored for a run, with a provisional number. */
type ProvisionalAnswer = JournalRow & { readonly run: number };

/** Renumbers answers that other processes have stored for runs of this one, and passes them to the runs. */
export function place(core: Core, db: Database, me: number): void {
  const found = () =>
    db.ask(
      `SELECT journal.run, journal.seq, journal.key, journal.kind, journal.value, journal.at
        FROM journal JOIN runs ON runs.ref = journal.run WHERE seq >= ${unplaced} AND owner = $1 ORDER BY seq`,
      me,
    ) as readonly ProvisionalAnswer[];
  if (!found().some(({ run }) => core.live.has(run))) return;
  let answers: readonly { readonly run: number; readonly row: JournalRow }[] = [];
  const apply = () => {
    db.keepOut();
    answers = found().flatMap(({ run, ...row }) => {
      const live = core.live.get(run);
      if (!live) return [];
      const seq = live.reserve();
      db.ask("UPDATE journal SET seq = $3 WHERE run = $1 AND seq = $2", run, row.seq, seq);
      return [{ run, row: { ...row, seq } }];
    });
  };
  core.commits.ask(apply, () => announce(core, { answers, started: [] })).catch(() => undefined);
}

/** Does the same for a run that is not in memory: the answers follow its own entries. */
export function placeAll(core: Core, db: Database, run: number): void {
  const rows = db.ask(`SELECT seq FROM journal WHERE run = $1 AND seq >= ${unplaced} ORDER BY seq`, run) as readonly {
    readonly seq: number;
  }[];
  let last = rows.length === 0 ? 0 : core.sql.lastSeq.get(run, run)!.seq;
  for (const { seq } of rows) db.ask("UPDATE journal SET seq = $3 WHERE run = $1 AND seq = $2", run, seq, ++last);
}

/** Continues the runs of versions that other processes lack with the events that these have accepted. */
export function catchUpAll(core: Core, db: Database): void {
  const rows = db.ask("SELECT DISTINCT workflow FROM missed WHERE workflow = ANY($1::bigint[])", [
    ...core.workflows.keys(),
  ]) as readonly { readonly workflow: number }[];
  for (const { workflow } of rows) {
    let decision: ReturnType<typeof catchUp> | undefined;
    const apply = () => {
      db.keepOut();
      decision = catchUp(core, workflow);
    };
    core.commits.ask(apply, () => decision && announce(core, decision)).catch(() => undefined);
  }
}

/** Stops runs that other processes have cancelled. */
export function stopNoticed(core: Core, db: Database, me: number): void {
  for (const { run: ref } of db.ask("DELETE FROM notices WHERE process = $1 RETURNING run", me) as readonly {
    readonly run: number;
  }[]) {
    const run = core.live.get(ref);
    if (!run) continue;
    run.isEnded = true;
    run.setActive();
    run.abort("The run was cancelled.");
    core.commits.schedule(run);
  }
}
