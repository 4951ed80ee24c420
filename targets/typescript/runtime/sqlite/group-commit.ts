import { isOfStore } from "./file.ts";
import { perform, type Store, type Task } from "./store.ts";

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
 *
 * The state of runs in memory does not change during a transaction, even if the store does not respond at once: no task
 * is run, and what else changes runs, such as timers and results of functions, is called `between` transactions.
 */
export class GroupCommit {
  readonly #db: Store;
  readonly #hooks: CommitHooks;
  #queue: Write[] = [];
  /** The writes of the current commit, and those of a commit with an unknown result. */
  #committing: CommitContents = nothing;
  #unsure: { readonly writes: readonly Write[]; readonly committing: CommitContents } | undefined;
  #scheduled: Schedulable[] = [];
  #isDue = false;
  /** Resolves when the current transaction has ended; undefined if the store responds at once. */
  #flushing: Promise<void> | undefined;
  #isWriting = false;
  /** What is called after the current transaction. */
  #deferred: { readonly owner: WriteOwner; readonly act: () => void }[] = [];
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
  }

  /** Queues a write whose owner is stranded if it throws. */
  write(owner: WriteOwner, apply: Apply, after: () => void): void {
    if (this.#stopped) return;
    this.#queue.push({ owner, apply, after });
    this.#schedule();
  }

  /** Queues a write with a result. If it fails, it is undone, and the promise rejects. */
  ask<T>(apply: () => Task<T> | T, after: (value: T) => void): Promise<T> {
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

  /** Calls a function that changes runs: now, or after the current transaction. */
  between(owner: WriteOwner, act: () => void): void {
    if (this.#isWriting) this.#deferred.push({ owner, act });
    else guarded(owner, act);
  }

  /** Commits the queued writes now. Returns a promise for the end of that if the store does not respond at once. */
  flush(): Promise<void> | undefined {
    if (this.#flushing) return this.#flushing;
    if (this.#pausing !== undefined || (this.#queue.length === 0 && !this.#unsure)) return undefined;
    const done = this.#db.execute(this.#write(), true);
    if (!(done instanceof Promise)) return undefined;
    this.#flushing = done
      .catch((reason: unknown) => this.#escaped(reason))
      .then(() => {
        this.#flushing = undefined;
        this.#continue();
      });
    return this.#flushing;
  }

  *#write(): Task<void> {
    this.#isWriting = true;
    try {
      if ((yield* this.#settle()) && this.#queue.length > 0) yield* this.#writeAll();
    } finally {
      this.#isWriting = false;
      const deferred = this.#deferred;
      this.#deferred = [];
      for (const { owner, act } of deferred) guarded(owner, act);
    }
  }

  *#writeAll(): Task<void> {
    const writes = this.#queue;
    this.#queue = [];
    const from = performance.now();
    try {
      yield* this.#commitAll(writes);
    } catch (reason) {
      yield* this.#undo(writes, reason);
      return;
    }
    this.#wrote = performance.now() - from;
    this.#hooks.took?.(this.#wrote / 1000);
    this.#fault = undefined;
    if (this.#hooks.committed?.()) this.stop(new Error("The engine was stopped."));
    else carryOut(this.#committing);
  }

  /**
   * Determines the result of a commit that was not acknowledged. Uncommitted writes are queued again. False while that
   * fails.
   */
  *#settle(): Task<boolean> {
    if (!this.#unsure) return true;
    const { writes, committing } = this.#unsure;
    try {
      const isDone = yield* this.#db.wasDone;
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
    if (this.#stopped || this.#flushing) return;
    try {
      this.#commitOrLook();
    } catch (reason) {
      this.#escaped(reason);
    }
    this.#continue();
  }

  #continue(): void {
    if (this.#flushing) return;
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

  /** Nothing may end the process: what was to be done is done later. */
  #escaped(reason: unknown): void {
    this.#fault = this.#hooks.failed(reason).error;
    this.#pause();
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

  *#rollBack(): Task<void> {
    try {
      if (this.#db.isTransaction) yield* this.#db.rollBack;
    } catch {
      // A database whose connection is lost has undone the transaction.
    }
    this.#hooks.undone?.();
  }

  /** Commits writes. Throws if the store fails. */
  *#commitAll(writes: readonly Write[]): Task<void> {
    try {
      yield* this.#db.begin;
      for (const { apply } of writes) {
        const task = apply();
        if (typeof task === "object") yield* task;
      }
      this.#committing = { done: writes, stranded: new Map() };
      yield* this.#db.commit;
    } catch (reason) {
      if (isOfStore(reason)) throw reason;
      yield* this.#rollBack();
      yield* this.#commitApart(writes);
    }
  }

  /** Commits writes without those of owners that throw. */
  *#commitApart(writes: readonly Write[]): Task<void> {
    const stranded = new Map<WriteOwner, unknown>();
    let done: readonly Write[];
    for (;;) {
      const before = stranded.size;
      done = writes.filter(({ owner }) => !stranded.has(owner));
      yield* this.#db.begin;
      for (const { owner, apply } of done) {
        if (stranded.has(owner)) continue;
        const outcome = yield* attempt(this.#db, apply, this.#hooks.undone);
        if ("reason" in outcome) stranded.set(owner, outcome.reason);
      }
      if (stranded.size === before) break;
      yield* this.#rollBack();
    }
    this.#committing = { done, stranded };
    yield* this.#db.commit;
  }

  *#undo(writes: readonly Write[], reason: unknown): Task<void> {
    yield* this.#rollBack();
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
    const probe = { owner: noOwner, apply: () => this.#hooks.probe?.(), after: () => undefined };
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
  /** A commit has taken this many seconds. */
  took?(seconds: number): void;
  /** Called after each commit; true stops everything as if the process had been killed. For tests. */
  committed?(): boolean;
}

/** Writes something; returns a task if it uses results. */
export type Apply = () => Task<void> | void;

interface Write {
  readonly owner: WriteOwner;
  readonly apply: Apply;
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
  db: Store,
  undone: CommitHooks["undone"],
  apply: () => Task<T> | T,
  after: (value: T) => void,
  resolve: (value: T) => void,
  reject: (reason: unknown) => void,
): Write {
  let outcome: Attempt<T>;
  return {
    owner: { strand: reject },
    *apply() {
      outcome = yield* attempt(db, apply, undone);
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

/** Executes a part of a transaction, which is undone if it throws. */
function* attempt<T>(db: Store, apply: () => Task<T> | T, undone: CommitHooks["undone"]): Task<Attempt<T>> {
  yield* db.save;
  try {
    const value = yield* perform(apply);
    yield* db.release;
    return { value };
  } catch (reason) {
    if (isOfStore(reason)) throw reason;
    yield* db.undo;
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

const noOwner: WriteOwner = { strand: () => undefined };
