import type { DatabaseSync, StatementSync } from "node:sqlite";
import { isOfStore } from "./file.ts";

/** The owner of a write. If one of its writes throws, only the owner is stranded. */
export interface WriteOwner {
  strand(reason: unknown): void;
}

/** A task that runs once in a turn of the event loop. */
export interface Schedulable extends WriteOwner {
  isScheduled: boolean;
  look(): void;
}

/**
 * Commits collected writes in one transaction, and runs tasks in between. `after` of a write is called when it is
 * committed. Each turn of the event loop either commits, or runs each scheduled task once; tasks have priority, because
 * commits are slow. A write that throws strands only its owner. If the store fails, all writes are retried later.
 */
export class GroupCommit {
  readonly #db: Store;
  readonly #hooks: CommitHooks;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  #queue: Write[] = [];
  /** The writes of the current commit, and those of a commit with an unknown result. */
  #committing: CommitContents = nothing;
  #unsure: { readonly writes: readonly Write[]; readonly committing: CommitContents } | undefined;
  #scheduled: Schedulable[] = [];
  #isDue = false;
  /** When the first task ran after the last commit, in milliseconds; undefined: none has. */
  #lookedFrom: number | undefined;
  /** The duration of the last commit, in milliseconds. */
  #wrote = 0;
  #pausing: NodeJS.Timeout | undefined;
  #stopped: Error | undefined;
  #fault: Error | undefined;

  constructor(db: Store, hooks: CommitHooks) {
    this.#db = db;
    this.#hooks = hooks;
    this.#begin = db.prepare("BEGIN IMMEDIATE");
    this.#commit = db.prepare("COMMIT");
  }

  /** Queues a write whose owner is stranded if it throws. */
  write(owner: WriteOwner, apply: () => void, after: () => void): void {
    if (this.#stopped) return;
    this.#queue.push({ owner, apply, after });
    this.#schedule();
  }

  /** Queues a write with a result. If it fails, it is undone, and the promise rejects. */
  ask<T>(apply: () => T, after: (value: T) => void): Promise<T> {
    if (this.#stopped) return Promise.reject(this.#stopped);
    return new Promise<T>((resolve, reject) => {
      this.#queue.push(writeWithResult(this.#db, this.#hooks.undone, apply, after, resolve, reject));
      this.#schedule();
    });
  }

  /** Runs a task in the next turn. */
  schedule(thing: Schedulable): void {
    if (thing.isScheduled) return;
    thing.isScheduled = true;
    this.#scheduled.push(thing);
    this.#schedule();
  }

  /** Commits the queued writes now. */
  flush(): void {
    if (this.#pausing !== undefined || !this.#isSettled() || this.#queue.length === 0) return;
    const writes = this.#queue;
    this.#queue = [];
    const from = performance.now();
    try {
      this.#commitAll(writes);
      this.#wrote = performance.now() - from;
      this.#fault = undefined;
      if (this.#hooks.committed?.()) this.stop(new Error("The engine was stopped."));
      else carryOut(this.#committing);
    } catch (reason) {
      this.#undo(writes, reason);
    }
  }

  /**
   * Determines the result of a commit that was not acknowledged. Uncommitted writes are queued again. False while that
   * fails.
   */
  #isSettled(): boolean {
    if (!this.#unsure) return true;
    const { writes, committing } = this.#unsure;
    try {
      const isDone = this.#db.wasDone!();
      this.#unsure = undefined;
      if (isDone) carryOut(committing);
      else this.#queue = [...writes, ...this.#queue];
      return true;
    } catch (reason) {
      this.#fault = this.#hooks.failed(reason).error;
      this.#pause();
      return false;
    }
  }

  /** The error of the last commit; undefined if it succeeded. */
  get fault(): Error | undefined {
    return this.#fault;
  }

  get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  /** Stops for good. Pending writes with results reject. */
  stop(reason: Error): void {
    this.#stopped ??= reason;
    for (const { fail } of [...(this.#unsure?.writes ?? []), ...this.#queue]) fail?.(reason);
    this.#queue = [];
    clearTimeout(this.#pausing);
  }

  #schedule(): void {
    if (this.#isDue || this.#stopped) return;
    this.#isDue = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isDue = false;
    if (this.#stopped) return;
    try {
      this.#commitOrLook();
    } catch (reason) {
      this.#fault = this.#hooks.failed(reason).error;
      this.#pause();
    }
    if (this.#scheduled.length > 0 || (this.#queue.length > 0 && this.#pausing === undefined)) this.#schedule();
  }

  #commitOrLook(): void {
    if (this.#scheduled.length === 0 || (this.#queue.length > 0 && this.#hasLookedLong())) {
      this.#lookedFrom = undefined;
      this.flush();
    } else {
      this.#lookedFrom ??= performance.now();
      this.#look();
    }
  }

  /** Whether tasks have run long enough. Larger transactions are cheaper, so most of the time is spent on tasks. */
  #hasLookedLong(): boolean {
    const longest = Math.min(Math.max(4 * this.#wrote, shortLook), longestLook);
    return this.#lookedFrom !== undefined && performance.now() - this.#lookedFrom >= longest;
  }

  #look(): void {
    const things = this.#scheduled;
    this.#scheduled = [];
    for (const thing of things) {
      thing.isScheduled = false;
      guarded(thing, () => thing.look());
    }
  }

  #rollBack(): void {
    try {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
    } catch {
      // A database whose connection is lost has undone the transaction.
    }
    this.#hooks.undone?.();
  }

  /** Commits writes. Throws if the store fails. */
  #commitAll(writes: readonly Write[]): void {
    try {
      this.#begin.run();
      for (const { apply } of writes) apply();
      this.#committing = { done: writes, stranded: new Map() };
      this.#commit.run();
    } catch (reason) {
      if (isOfStore(reason)) throw reason;
      this.#rollBack();
      this.#commitApart(writes);
    }
  }

  /** Commits writes without those of owners that throw. */
  #commitApart(writes: readonly Write[]): void {
    const stranded = new Map<WriteOwner, unknown>();
    let done: readonly Write[];
    for (;;) {
      const before = stranded.size;
      done = writes.filter(({ owner }) => !stranded.has(owner));
      this.#begin.run();
      for (const { owner, apply } of done) {
        const outcome = stranded.has(owner) ? undefined : attempt(this.#db, apply, this.#hooks.undone);
        if (outcome && "reason" in outcome) stranded.set(owner, outcome.reason);
      }
      if (stranded.size === before) break;
      this.#rollBack();
    }
    this.#committing = { done, stranded };
    this.#commit.run();
  }

  #undo(writes: readonly Write[], reason: unknown): void {
    this.#rollBack();
    const { error, isForGood } = this.#hooks.failed(reason);
    this.#fault = error;
    if (this.#db.isUnsure && !isForGood) {
      this.#unsure = { writes, committing: this.#committing };
      this.#pause();
      return;
    }
    for (const { fail } of writes) fail?.(error);
    if (isForGood) {
      this.stop(error);
      return;
    }
    const probe = { owner: nobody, apply: () => this.#hooks.probe?.(), after: () => undefined };
    this.#queue = [...writes.filter(({ fail }) => fail === undefined), ...this.#queue, probe];
    this.#pause();
  }

  #pause(): void {
    clearTimeout(this.#pausing);
    this.#pausing = setTimeout(() => {
      this.#pausing = undefined;
      this.#schedule();
    }, pause);
  }
}

/** The callbacks of a group commit. */
export interface CommitHooks {
  /** A commit failed. It is retried, unless the error is permanent. Returns the error for callers. */
  failed(reason: unknown): { readonly error: Error; readonly isForGood: boolean };
  /** Changes of the transaction have been undone. */
  undone?(): void;
  /** Writes without effect, to check whether the store is writable again. */
  probe?(): void;
  /** Called after each commit; true stops everything as if the process had been killed. For tests. */
  committed?(): boolean;
}

/** A database. Over a network, the result of a commit may be unknown. */
type Store = DatabaseSync & { readonly isUnsure?: boolean; wasDone?(): boolean };

interface Write {
  readonly owner: WriteOwner;
  readonly apply: () => void;
  readonly after: () => void;
  readonly fail?: (reason: unknown) => void;
}

/** The writes of one transaction, and the owners that are excluded because they have thrown. */
interface CommitContents {
  readonly done: readonly Write[];
  readonly stranded: ReadonlyMap<WriteOwner, unknown>;
}

const nothing: CommitContents = { done: [], stranded: new Map() };

/** Carries out what follows from a commit. */
function carryOut({ done, stranded }: CommitContents): void {
  for (const [owner, reason] of stranded) owner.strand(reason);
  for (const { owner, after } of done) guarded(owner, after);
}

/** How long tasks run before queued writes are committed, in milliseconds: at least and at most. */
const [shortLook, longestLook] = [2, 20];

/** Milliseconds until a failed commit is retried. */
const pause = 1000;

/** A write with a result. Errors of its own concern it alone; errors of the store concern all writes. */
function writeWithResult<T>(
  db: DatabaseSync,
  undone: CommitHooks["undone"],
  apply: () => T,
  after: (value: T) => void,
  resolve: (value: T) => void,
  reject: (reason: unknown) => void,
): Write {
  let outcome: Attempt<T>;
  return {
    owner: { strand: reject },
    apply: () => {
      outcome = attempt(db, apply, undone);
    },
    after() {
      if ("reason" in outcome) {
        reject(outcome.reason);
        return;
      }
      after(outcome.value);
      resolve(outcome.value);
    },
    fail: reject,
  };
}

type Attempt<T> = { readonly value: T } | { readonly reason: unknown };

/** Runs a function in a savepoint, which is rolled back if it throws. */
function attempt<T>(db: DatabaseSync, apply: () => T, undone: CommitHooks["undone"]): Attempt<T> {
  db.exec("SAVEPOINT attempt");
  try {
    const value = apply();
    db.exec("RELEASE attempt");
    return { value };
  } catch (reason) {
    if (isOfStore(reason)) throw reason;
    db.exec("ROLLBACK TO attempt; RELEASE attempt");
    undone?.();
    return { reason };
  }
}

/** Runs a function; an error strands only its owner. */
export function guarded(owner: WriteOwner, act: () => void): void {
  try {
    act();
  } catch (reason) {
    owner.strand(reason);
  }
}

const nobody: WriteOwner = { strand: () => undefined };
