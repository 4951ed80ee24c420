import { type Cluster, unplaced } from "../../sqlite/cluster.ts";
import type { Core } from "../../sqlite/core.ts";
import { parts } from "../parts.ts";
import type { Database } from "./database.ts";
import { longestOffer, type Offered, offer, untakenOf } from "./offers.ts";
import { isGone } from "./opening.ts";
import type { Shell } from "./shell.ts";
import { beginnerOf } from "./starting.ts";
import { tellWatchers } from "./watching.ts";

/** How often others are looked at, in milliseconds, and how long one must not have been there to be taken for dead. */
export interface Rhythm {
  readonly beat: number;
  readonly patience: number;
}

/** The processes on a database, as the engine of one of them sees them. */
export interface Members extends Cluster {
  begin(): { stop(): void };
  /** Goes on with a run in this process; false where another one does. */
  take(run: number): boolean;
  /** The run is not gone on with here any more. */
  leave(run: number): void;
}

/** What an engine knows of the others, and how it takes over the runs of those that die. */
export function membersOf(
  core: Core,
  db: Database,
  me: number | undefined,
  shell: Shell,
  { beat, patience }: Rhythm,
): Members {
  const here = new Set<number>();
  const elsewhere = new Set<number>();
  const suspects = new Map<number, number>();
  const offers = new Map<number, number>();
  let [isStopped, isDue] = [false, false];
  let isDown = false;
  const notify = () => void db.ask("SELECT pg_notify('waybill', '')");
  const soon = () => {
    if (isDue || isStopped) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      look();
    }, 2);
  };
  const look = (): void => {
    if (isStopped || core.isClosing || core.turns.isStopped) return;
    try {
      stopNoticed(core, db, me!);
      place(core, db, me!);
      hear(core, db, me!, notify);
      catchUpAll(core, db);
      beginner.go();
      tellWatchers(core, db);
      isDown = false;
    } catch (reason) {
      tellDown(reason);
    }
  };
  const tellDown = (reason: unknown) => {
    if (isDown) return;
    isDown = true;
    core.log({ level: "error", message: reason instanceof Error ? reason.message : String(reason) });
    if (reason instanceof parts.StoreError && reason.fault === "foreign") core.turns.stop(reason);
  };
  const guarded = (act: () => void) => {
    try {
      act();
    } catch (reason) {
      tellDown(reason);
    }
  };
  const sweep = (): void => {
    if (me === undefined) return;
    const offered: Offered[] = [];
    let untaken: readonly Offered[] = [];
    const executors = new Set<string>();
    let left: readonly Outgoing[] = [];
    const apply = () => {
      db.keepOut();
      const others = db.ask("SELECT ref, executor FROM processes") as readonly Process[];
      bury(db, deadAmong(db, others, me!, suspects, patience));
      for (const { executor } of db.ask("SELECT ref, executor FROM processes") as readonly Process[])
        executors.add(executor);
      untaken = untakenOf(db, me!, offers, longestOffer * patience);
      offered.push(...offer(core, db, me!));
      left = takeOutgoing(db, leftBehind);
    };
    core.turns
      .ask(apply, () => {
        for (const { type } of left) core.outbox?.added(type);
        for (const { ref } of [...offered, ...untaken]) offers.set(ref, performance.now());
        for (const run of offered) shell.enqueue(run, executors).catch((reason: unknown) => takeBack(run, reason));
        for (const run of untaken) shell.enqueue(run, new Set()).catch((reason: unknown) => takeBack(run, reason));
      })
      .catch(tellDown);
  };
  const beginner = beginnerOf(core, db, me, shell, { free: sweep, elsewhere: notify, failed: tellDown });
  const takeBack = ({ ref, id }: Offered, reason: unknown) => {
    core.log({ level: "warn", message: `A run could not be offered: ${String(reason)}`, run: id });
    core.turns
      .ask(
        () => db.ask("UPDATE runs SET offered = NULL WHERE ref = $1", ref),
        () => undefined,
      )
      .catch(tellDown);
  };
  return {
    elsewhere,
    isHere: (run) => here.has(run),
    isElsewhere(run) {
      db.keepOut();
      const [row] = db.ask("SELECT owner FROM runs WHERE ref = $1", run) as readonly {
        readonly owner: number | null;
      }[];
      return row !== undefined && row.owner !== null && row.owner !== me;
    },
    newPlace: () => (db.ask("SELECT nextval('places') AS place") as readonly { readonly place: number }[])[0]!.place,
    isUnheard(run, at) {
      const [row] = db.ask("SELECT heard FROM inbox WHERE run = $1 AND seq = $2", run, at) as readonly {
        readonly heard: number;
      }[];
      return row?.heard === 0;
    },
    refresh() {
      db.keepOut();
      refresh(core, db, elsewhere);
    },
    stop(run) {
      db.ask(
        "INSERT INTO notices SELECT owner, ref FROM runs WHERE ref = $1 AND owner IS NOT NULL ON CONFLICT DO NOTHING",
        run,
      );
      notify();
    },
    dispatch: beginner.dispatch,
    take(run) {
      if (beginner.begin(run, () => here.add(run))) return true;
      const taken = takeOver(core, db, run, me!);
      if (!taken) return false;
      const { deaths, types } = taken;
      for (const { type } of types) core.outbox?.added(type);
      here.add(run);
      if (deaths <= mostDeaths) core.wake(run);
      else parts.strand(core, run, `The processes have died ${mostDeaths} times as the run went on.`);
      return true;
    },
    leave: (run) => void here.delete(run),
    begin() {
      db.ask("UPDATE processes SET workflows = $2 WHERE ref = $1", me, [...core.workflows.keys()]);
      refresh(core, db, elsewhere);
      db.notified = soon;
      core.outbox = parts.outboxOf(core);
      const forget = parts.forgettingEarly(core);
      const timer = setInterval(() => {
        look();
        sweep();
        if (!isStopped) guarded(forget);
      }, beat);
      const watching = setInterval(() => {
        if (!isStopped) guarded(() => tellWatchers(core, db));
      }, watch);
      sweep();
      look();
      return {
        stop() {
          isStopped = true;
          clearInterval(timer);
          clearInterval(watching);
        },
      };
    },
  };
}

/** A run by which processes have died so often, without its getting any further, is stranded. */
const mostDeaths = 10;

/** How often is looked for ends of runs that are elsewhere, in milliseconds. */
const watch = 50;

interface Process {
  readonly ref: number;
  readonly executor: string;
}

/** The processes whose sessions have been gone for long enough; not while the database itself has only just come back. */
function deadAmong(
  db: Database,
  others: readonly Process[],
  me: number,
  suspects: Map<number, number>,
  patience: number,
): readonly Process[] {
  const now = performance.now();
  const gone = others.filter(({ ref }) => ref !== me && isGone(db, ref));
  for (const ref of suspects.keys()) if (!gone.some((each) => each.ref === ref)) suspects.delete(ref);
  for (const { ref } of gone) if (!suspects.has(ref)) suspects.set(ref, now);
  const late = gone.filter(({ ref }) => now - suspects.get(ref)! >= patience);
  if (late.length === 0) return [];
  const [up] = db.ask(
    "SELECT extract(epoch FROM now() - pg_postmaster_start_time())::float8 * 1000 AS up",
  ) as readonly { readonly up: number }[];
  return up!.up > patience * 2 ? late : [];
}

/** Nobody goes on any more with the runs of processes that have died. */
function bury(db: Database, dead: readonly Process[]): void {
  for (const { ref } of dead) {
    db.ask("UPDATE runs SET owner = NULL, deaths = deaths + (status = 'running')::int WHERE owner = $1", ref);
    db.ask("DELETE FROM notices WHERE process = $1", ref);
    db.ask("DELETE FROM processes WHERE ref = $1", ref);
  }
  if (dead.length > 0) db.ask("UPDATE runs SET offered = NULL WHERE owner IS NULL AND offered IS NOT NULL");
}

/** Which versions there are, and which have runs that go on: in other processes, or nowhere. */
function refresh(core: Core, db: Database, elsewhere: Set<number>): void {
  const rows = db.ask(
    `SELECT ref, id, version, EXISTS (SELECT 1 FROM processes WHERE workflows.ref = ANY(processes.workflows)) AS served
      FROM workflows WHERE NOT (ref = ANY($1::bigint[]))`,
    [...core.workflows.keys()],
  ) as readonly { readonly ref: number; readonly id: string; readonly version: string; readonly served: number }[];
  const strangers = core.strangers as Set<number>;
  strangers.clear();
  elsewhere.clear();
  for (const { ref, id, version, served } of rows) {
    core.names.set(ref, { id, version });
    const isActive =
      db.ask("SELECT 1 FROM runs WHERE workflow = $1 AND status IN ('running', 'waiting') LIMIT 1", ref).length > 0;
    if (isActive) (served === 1 ? elsewhere : strangers).add(ref);
  }
}

/** Stops with runs that have been cancelled by another process. */
function stopNoticed(core: Core, db: Database, me: number): void {
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

interface Unplaced {
  readonly run: number;
  readonly seq: number;
  readonly inbox: string;
  readonly event: number;
  readonly text: string;
}

/** A type of events that are to be sent. */
interface Outgoing {
  readonly type: string;
}

/** What processes have left behind of runs that go on nowhere. */
const leftBehind = `(owner IS NULL OR owner NOT IN (SELECT ref FROM processes))
  AND run NOT IN (SELECT ref FROM runs WHERE status IN ('running', 'waiting'))`;

/** Takes events that other processes were to send to the end of those of this one. Within a transaction. */
const takeOutgoing = (db: Database, which: string, ...values: readonly unknown[]): readonly Outgoing[] =>
  db.ask(
    `WITH gone AS (DELETE FROM outbox WHERE refused = 0 AND ${which} RETURNING ref, run, type, text, at)
      INSERT INTO outbox (run, type, text, at) SELECT run, type, text, at FROM gone ORDER BY ref RETURNING type`,
    ...values,
  ) as readonly Outgoing[];

/** Makes a run that nobody goes on with this process's own, with what it has to send; how often processes have died with it. Undefined where another goes on with it. */
function takeOver(
  core: Core,
  db: Database,
  run: number,
  me: number,
): { readonly deaths: number; readonly types: readonly Outgoing[] } | undefined {
  db.exec("BEGIN");
  try {
    db.keepOut();
    const [row] = db.ask(
      "UPDATE runs SET owner = $2, offered = NULL WHERE ref = $1 AND (owner IS NULL OR owner = $2) AND status IN ('running', 'waiting') RETURNING deaths",
      run,
      me,
    ) as readonly { readonly deaths: number }[];
    if (row && !core.live.has(run)) placeAll(core, db, run);
    const types = row ? takeOutgoing(db, "run = $1 AND owner IS DISTINCT FROM $2", run, me) : [];
    db.exec("COMMIT");
    return row && { deaths: row.deaths, types };
  } catch (reason) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw reason;
  }
}

/** Gives events that other processes have put here their places in the journals of runs, and tells them. */
function place(core: Core, db: Database, me: number): void {
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
function placeAll(core: Core, db: Database, run: number): void {
  const rows = db.ask(`SELECT seq FROM inbox WHERE run = $1 AND seq >= ${unplaced} ORDER BY seq`, run) as readonly {
    readonly seq: number;
  }[];
  let last = rows.length === 0 ? 0 : core.sql.lastSeq.get(run, run, run)!.seq;
  for (const { seq } of rows) db.ask("UPDATE inbox SET seq = $3 WHERE run = $1 AND seq = $2", run, seq, ++last);
}

/** Says of events that may start runs that the runs here have gone through them, and decides of those of which all have. */
function hear(core: Core, db: Database, me: number, notify: () => void): void {
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
function catchUpAll(core: Core, db: Database): void {
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
