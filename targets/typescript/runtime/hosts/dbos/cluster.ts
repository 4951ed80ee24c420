import { Known, outboxOf, retentionOf, StoreError, settleEarlierEvents, summaryOf } from "../../internal.ts";
import type { Core } from "../../sqlite/core.ts";
import type { Activity, Processes, ReservedEntry } from "../../sqlite/processes.ts";
import type { Reading, Task } from "../../sqlite/store.ts";
import type { Shell } from "./adapter.ts";
import type { Clock } from "./clock.ts";
import type { Database } from "./database.ts";
import { catchUpAll, place, stopNoticed } from "./journal-order.ts";
import { bury, deadAmong, leftBehind, type Outgoing, type Process, takeOutgoing, takeOver } from "./liveness.ts";
import { longestOffer, type OfferedRun, offer, untakenOf } from "./queue.ts";
import { createStarter } from "./starting.ts";
import { createSuspects, deathsTogether, type Suspects } from "./suspects.ts";

/** The interval of checks, and how long a process must be unreachable to be considered dead; in milliseconds. */
export interface Rhythm {
  readonly beat: number;
  readonly patience: number;
}

/** The other processes on a database, for the engine of this one. */
export interface Members extends Processes {
  /** Continues a run in this process; false if another process executes it. */
  take(run: number): Promise<boolean>;
  /** This process no longer executes the run. */
  leave(run: number): void;
}

/** The clock of the database, and the intervals of checks. */
interface Timing extends Rhythm {
  readonly clock: Clock;
}

/** Observes the other processes, and takes over the runs of dead ones. */
export const membersOf = (...given: ConstructorParameters<typeof Membership>): Members => new Membership(...given);

class Membership implements Members {
  readonly isAlone = false;
  readonly elsewhere = new Set<number>();
  readonly #core: Core;
  readonly #db: Database;
  readonly #me: number | undefined;
  readonly #shell: Shell;
  readonly #rhythm: Timing;
  readonly #starter: ReturnType<typeof createStarter>;
  readonly #tried: Suspects;
  readonly #here = new Set<number>();
  readonly #suspects = new Map<number, number>();
  readonly #offers = new Map<number, number>();
  /** The tasks in progress, and whether they are to be repeated. */
  readonly #attempts = new Map<string, boolean>();
  #isStopped = false;
  #isDue = false;
  #isSweeping = false;
  #isDown = false;

  constructor(core: Core, db: Database, me: number | undefined, shell: Shell, rhythm: Timing) {
    [this.#core, this.#db, this.#me, this.#shell, this.#rhythm] = [core, db, me, shell, rhythm];
    this.#tried = createSuspects(core, db, me ?? -1, (reason) => this.#reportFailure(reason));
    this.#starter = createStarter(core, db, me, shell, {
      free: () => this.#sweep(),
      elsewhere: () => this.#attempt("notify", () => this.#notify()),
      failed: (reason) => this.#reportFailure(reason),
    });
  }

  prepare(): Reading<void> {
    return new Known<void>(undefined);
  }

  admits(run: number): boolean {
    if (this.#tried.isWaiting(run)) return false;
    const isHere = this.#here.has(run);
    if (!isHere) this.#starter.dispatch(run);
    return isHere;
  }

  *reserve(run: number): Task<ReservedEntry> {
    const isElsewhere = yield* this.#isElsewhere(run);
    const seq = isElsewhere ? yield* this.#newPlace() : (yield* this.#core.sql.lastSeq.get(run, run))!.seq + 1;
    return { seq, isElsewhere };
  }

  *#isElsewhere(run: number): Task<boolean> {
    this.#db.keepOut();
    const [row] = yield* this.#db.ask<{ readonly owner: number | null }>("SELECT owner FROM runs WHERE ref = $1", run);
    return row !== undefined && row.owner !== null && row.owner !== this.#me;
  }

  /** A provisional number: the process that executes the run renumbers the entry. */
  *#newPlace(): Task<number> {
    const [row] = yield* this.#db.ask<{ readonly place: number }>("SELECT nextval('places') AS place");
    return row!.place;
  }

  *refresh(): Task<void> {
    this.#db.keepOut();
    yield* refresh(this.#core, this.#db, this.elsewhere);
  }

  *stop(run: number): Task<void> {
    yield* this.#db.ask(
      "INSERT INTO notices SELECT owner, ref FROM runs WHERE ref = $1 AND owner IS NOT NULL ON CONFLICT DO NOTHING",
      run,
    );
    yield* this.#notify();
  }

  take(run: number): Promise<boolean> {
    return this.#db.execute(this.#takeNow(run));
  }

  *#takeNow(run: number): Task<boolean> {
    const core = this.#core;
    if (yield* this.#starter.isNew(run)) {
      this.#here.add(run);
      core.wake(run);
      return true;
    }
    const taken = yield* takeOver(core, this.#db, run, this.#me!);
    if (!taken) return false;
    const { deaths, types } = taken;
    for (const { type, ref } of types) core.outbox?.added(type, ref);
    this.#here.add(run);
    if (deaths < deathsTogether) core.wake(run);
    else this.#tried.add(run, deaths);
    return true;
  }

  leave(run: number): void {
    this.#here.delete(run);
  }

  *begin(): Task<readonly Activity[]> {
    const [core, db] = [this.#core, this.#db];
    yield* db.ask("UPDATE processes SET workflows = $2 WHERE ref = $1", this.#me, [...core.workflows.keys()]);
    yield* refresh(core, db, this.elsewhere);
    db.notified = () => this.#soon();
    core.outbox = yield* outboxOf(core);
    const timers = this.#timers();
    core.commits
      .ask(
        () => core.broker.route(),
        () => undefined,
      )
      .catch((reason: unknown) => this.#reportFailure(reason));
    this.#sweep();
    this.#look();
    const settling = yield* settleEarlierEvents(core);
    const stop = () => {
      this.#isStopped = true;
      this.#tried.stop();
      for (const timer of timers) clearInterval(timer);
    };
    return [settling, { stop }];
  }

  #timers(): readonly NodeJS.Timeout[] {
    const forget = retentionOf(this.#core);
    const looking = setInterval(() => {
      this.#look();
      this.#sweep();
      forget();
      this.#attempt("clock", this.#rhythm.clock.look);
    }, this.#rhythm.beat);
    const watching = setInterval(() => this.#attempt("watchers", () => notifyWatchers(this.#core, this.#db)), watch);
    return [looking, watching];
  }

  /** Notifies the other processes. */
  *#notify(): Task<void> {
    yield* this.#db.ask("SELECT pg_notify('waybill', '')");
  }

  #soon(): void {
    if (this.#isDue || this.#isStopped) return;
    this.#isDue = true;
    setTimeout(() => {
      this.#isDue = false;
      this.#look();
    }, 2);
  }

  /** Processes what other processes have stored for this one. */
  #look(): void {
    const [core, db, me] = [this.#core, this.#db, this.#me!];
    if (core.isClosing || core.commits.isStopped) return;
    const [starter, clear] = [this.#starter, () => this.#clearFailure()];
    this.#attempt("look", function* () {
      yield* stopNoticed(core, db, me);
      yield* place(core, db, me);
      yield* catchUpAll(core, db);
      yield* starter.go();
      yield* notifyWatchers(core, db);
      clear();
    });
  }

  #clearFailure(): void {
    this.#isDown = false;
  }

  /** Logs once that the database cannot be used. */
  #reportFailure(reason: unknown): void {
    if (this.#isDown) return;
    this.#isDown = true;
    this.#core.log({ level: "error", message: reason instanceof Error ? reason.message : String(reason) });
    if (reason instanceof StoreError && reason.fault === "foreign") this.#core.commits.stop(reason);
  }

  /** Executes a task, and once more after it if that is requested meanwhile. */
  #attempt(name: string, act: () => Task<void>): void {
    if (this.#isStopped) return;
    if (this.#attempts.has(name)) {
      this.#attempts.set(name, true);
      return;
    }
    this.#attempts.set(name, false);
    const over = () => {
      const isWanted = this.#attempts.get(name);
      this.#attempts.delete(name);
      if (isWanted) this.#attempt(name, act);
    };
    const failed = (reason: unknown) => {
      this.#attempts.delete(name);
      if (!this.#isStopped) this.#reportFailure(reason);
    };
    this.#db.execute(act()).then(over, failed);
  }

  /** Takes over events of dead processes, and offers runs that no process executes. */
  #sweep(): void {
    if (this.#me === undefined) return;
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    const me = this.#me;
    const after = ({ executors, left, offered, untaken }: SweepResult) => {
      for (const { type, ref } of left) this.#core.outbox?.added(type, ref);
      for (const { ref } of [...offered, ...untaken]) this.#offers.set(ref, performance.now());
      for (const run of offered) this.#enqueue(run, executors);
      for (const run of untaken) this.#enqueue(run, new Set());
    };
    this.#core.commits
      .ask(() => this.#sweepNow(me), after)
      .catch((reason: unknown) => this.#reportFailure(reason))
      .finally(() => {
        this.#isSweeping = false;
      });
  }

  /** The part of it within a transaction. */
  *#sweepNow(me: number): Task<SweepResult> {
    const [core, db, { patience }] = [this.#core, this.#db, this.#rhythm];
    db.keepOut();
    yield* bury(db, yield* deadAmong(db, yield* processesOn(db), me, this.#suspects, patience));
    const executors = new Set((yield* processesOn(db)).map(({ executor }) => executor));
    const untaken = yield* untakenOf(db, me, this.#offers, longestOffer * patience);
    const offered = yield* offer(core, db, me);
    return { executors, untaken, offered, left: yield* takeOutgoing(db, leftBehind) };
  }

  #enqueue(run: OfferedRun, executors: ReadonlySet<string>): void {
    this.#shell.enqueue(run, executors).catch((reason: unknown) => this.#takeBack(run, reason));
  }

  #takeBack({ ref, id }: OfferedRun, reason: unknown): void {
    this.#core.log({ level: "warn", message: `A run could not be offered: ${String(reason)}`, run: id });
    const db = this.#db;
    const apply = function* (): Task<void> {
      yield* db.ask("UPDATE runs SET offered = NULL WHERE ref = $1", ref);
    };
    this.#core.commits.ask(apply, () => undefined).catch((failed: unknown) => this.#reportFailure(failed));
  }
}

/** The result of a sweep. */
interface SweepResult {
  /** The names of the processes in DBOS. */
  readonly executors: ReadonlySet<string>;
  /** Offered runs that no process has taken. */
  readonly untaken: readonly OfferedRun[];
  readonly offered: readonly OfferedRun[];
  readonly left: readonly Outgoing[];
}

const processesOn = (db: Database): Reading<readonly Process[]> => db.ask("SELECT ref, executor FROM processes");

/** The interval of checks for ended runs of other processes, in milliseconds. */
const watch = 50;

/** Reads the versions of workflows, and which of them have active runs that other processes, or no process, serve. */
function* refresh(core: Core, db: Database, elsewhere: Set<number>): Task<void> {
  const rows = yield* db.ask<VersionRow>(
    `SELECT ref, id, version, EXISTS (SELECT 1 FROM processes WHERE workflows.ref = ANY(processes.workflows)) AS served,
      EXISTS (SELECT 1 FROM runs WHERE workflow = workflows.ref AND status IN ('running', 'waiting')) AS active
      FROM workflows WHERE NOT (ref = ANY($1::bigint[]))`,
    [...core.workflows.keys()],
  );
  const strangers = core.strangers as Set<number>;
  strangers.clear();
  elsewhere.clear();
  for (const { ref, id, version, served, active } of rows) {
    core.names.set(ref, { id, version });
    if (active === 1) (served === 1 ? elsewhere : strangers).add(ref);
  }
}

interface VersionRow {
  readonly ref: number;
  readonly id: string;
  readonly version: string;
  /** Whether a process serves it. */
  readonly served: number;
  /** Whether it has active runs. */
  readonly active: number;
}

/** Notifies callers that wait for the end of a run of another process. Runs of this process notify them directly. */
export function* notifyWatchers(core: Core, db: Database): Task<void> {
  if (core.watchers.size === 0) return;
  const here = new Set<string>();
  for (const { name, isEnded } of core.live.values()) if (!isEnded) here.add(name.id);
  const others = [...core.watchers.keys()].filter((id) => !here.has(id));
  if (others.length === 0) return;
  const ended = yield* db.ask<{ readonly id: string }>(
    "SELECT id FROM runs WHERE id = ANY($1::text[]) AND status NOT IN ('running', 'waiting')",
    others,
  );
  for (const { id } of ended) {
    const [row, watchers] = [yield* core.sql.runById.get(id), core.watchers.get(id)];
    if (!row || !watchers) continue;
    const summary = summaryOf(core, row);
    core.watchers.delete(id);
    for (const watcher of watchers) watcher.ended(summary);
  }
}
