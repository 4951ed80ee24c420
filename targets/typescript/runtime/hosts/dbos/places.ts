import { unplaced } from "../../sqlite/cluster.ts";
import type { Core } from "../../sqlite/core.ts";
import { parts } from "../parts.ts";
import type { Database } from "./database.ts";

interface Unplaced {
  readonly run: number;
  readonly seq: number;
  readonly inbox: string;
  readonly event: number;
  readonly text: string;
}

/** Gives events that other processes have put here their places in the journals of runs, and tells them. */
export function place(core: Core, db: Database, me: number): void {
  const found = () =>
    db.ask(
      `SELECT inbox.run, inbox.seq, inbox.inbox, inbox.event, events.text FROM inbox JOIN runs ON runs.ref = inbox.run JOIN events ON events.ref = event
        WHERE seq >= ${unplaced} AND taken IS NULL AND owner = $1 ORDER BY seq`,
      me,
    ) as readonly Unplaced[];
  if (!found().some(({ run }) => core.live.has(run))) return;
  let placed: (Unplaced & { readonly at: number })[] = [];
  const apply = () => {
    db.keepOut();
    placed = found().flatMap((row) => {
      const live = core.live.get(row.run);
      if (!live) return [];
      const at = live.seq++;
      db.ask("UPDATE inbox SET seq = $3 WHERE run = $1 AND seq = $2", row.run, row.seq, at);
      return [{ ...row, at }];
    });
  };
  const after = () => {
    for (const { run, inbox, event, text, at } of placed) {
      const arrived = { run, inbox, place: { seq: at, number: event, isShared: true } };
      parts.tell(core, arrived, JSON.parse(text));
    }
  };
  core.turns.ask(apply, after).catch(() => undefined);
}

/** The same for a run that is not in memory: they are behind all that is recorded. */
export function placeAll(core: Core, db: Database, run: number): void {
  const rows = db.ask(`SELECT seq FROM inbox WHERE run = $1 AND seq >= ${unplaced} ORDER BY seq`, run) as readonly {
    readonly seq: number;
  }[];
  let last = rows.length === 0 ? 0 : core.sql.lastSeq.get(run, run, run)!.seq;
  for (const { seq } of rows) db.ask("UPDATE inbox SET seq = $3 WHERE run = $1 AND seq = $2", run, seq, ++last);
}

/** Says of events that may start runs that the runs here have gone through them, and decides of those of which all have. */
export function hear(core: Core, db: Database, me: number, notify: () => void): void {
  if (db.ask("SELECT 1 FROM undecided LIMIT 1").length === 0) return;
  const rows = db.ask(
    `SELECT run, seq FROM inbox JOIN runs ON runs.ref = inbox.run WHERE owner = $1 AND taken IS NULL AND NOT heard AND seq < ${unplaced}
      AND event IN (SELECT event FROM undecided)`,
    me,
  ) as readonly { readonly run: number; readonly seq: number }[];
  const heard = rows.filter(({ run: ref, seq }) => {
    const run = core.live.get(ref);
    return run && !run.isReplaying && run.told >= seq && run.writing + run.claiming === 0;
  });
  const apply = () => {
    for (const { run, seq } of heard) db.ask("UPDATE inbox SET heard = true WHERE run = $1 AND seq = $2", run, seq);
    if (heard.length > 0) notify();
  };
  core.turns.ask(apply, () => parts.decideAll(core)).catch(() => undefined);
}

/** Gives events that have come while a version was missing to its runs. */
export function catchUpAll(core: Core, db: Database): void {
  const rows = db.ask("SELECT DISTINCT workflow FROM missed WHERE workflow = ANY($1::bigint[])", [
    ...core.workflows.keys(),
  ]) as readonly {
    readonly workflow: number;
  }[];
  for (const { workflow } of rows) {
    let given: ReturnType<typeof parts.catchUp> = [];
    const apply = () => {
      given = parts.catchUp(core, workflow);
    };
    core.turns.ask(apply, () => parts.tellAll(core, given)).catch(() => undefined);
  }
}

/** Stops with runs that have been cancelled by another process. */
export function stopNoticed(core: Core, db: Database, me: number): void {
  for (const { run: ref } of db.ask("DELETE FROM notices WHERE process = $1 RETURNING run", me) as readonly {
    readonly run: number;
  }[]) {
    const run = core.live.get(ref);
    if (!run) continue;
    run.isEnded = true;
    run.setActive();
    run.abort("The run was cancelled.");
    core.turns.touch(run);
  }
}
