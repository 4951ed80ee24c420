import type { DatabaseSync, StatementSync } from "node:sqlite";
import { isOfStore } from "./file.ts";

/** What cannot go on when something of it throws, while all others do. */
export interface Strandable {
  strand(reason: unknown): void;
}

/** Something that is looked at once in a turn, when it has come to rest. */
export interface Touchable extends Strandable {
  touched: boolean;
  look(): void;
}

/**
 * Writes what has come together in one transaction, and lets things go on: what `after` does happens when the write is there for good.
 * In one turn of the event loop there is either a write, or each thing is looked at once; things come first, as a write takes long.
 * What throws strands its owner and nobody else; when the store itself fails, everything waits until it can be written again.
 */
export class Turns {
  readonly #db: Store;
  readonly #hooks: TurnHooks;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  #queue: Write[] = [];
  /** What is being committed, and of what it is not known whether it was. */
  #committing: Committing = nothing;
  #unsure: { readonly writes: readonly Write[]; readonly committing: Committing } | undefined;
  #touched: Touchable[] = [];
  #isDue = false;
  /** When things were looked at first after the last write, in milliseconds; undefined: they have not been. */
  #lookedFrom: number | undefined;
  /** How many milliseconds the last write took. */
  #wrote = 0;
  #pausing: NodeJS.Timeout | undefined;
  #stopped: Error | undefined;
  #fault: Error | undefined;

  constructor(db: Store, hooks: TurnHooks) {
    this.#db = db;
    this.#hooks = hooks;
    this.#begin = db.prepare("BEGIN IMMEDIATE");
    this.#commit = db.prepare("COMMIT");
  }

  /** A write of something that is stranded when the write throws. */
  write(owner: Strandable, apply: () => void, after: () => void): void {
    if (this.#stopped) return;
    this.#queue.push({ owner, apply, after });
    this.#schedule();
  }

  /** A write that somebody waits for: when it fails nothing of it is done, and it rejects. */
  ask<T>(apply: () => T, after: (value: T) => void): Promise<T> {
    if (this.#stopped) return Promise.reject(this.#stopped);
    return new Promise<T>((resolve, reject) => {
      this.#queue.push(asked(this.#db, apply, after, resolve, reject));
      this.#schedule();
    });
  }

  /** Looks at something in the next turn. */
  touch(thing: Touchable): void {
    if (thing.touched) return;
    thing.touched = true;
    this.#touched.push(thing);
    this.#schedule();
  }

  /** Writes what there is now. */
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
      else goOn(this.#committing);
    } catch (reason) {
      this.#undo(writes, reason);
    }
  }

  /** Where it was not known whether writes are there for good: learns it; what is not is written again. False as long as that cannot be learnt. */
  #isSettled(): boolean {
    if (!this.#unsure) return true;
    const { writes, committing } = this.#unsure;
    try {
      const isDone = this.#db.wasDone!();
      this.#unsure = undefined;
      if (isDone) goOn(committing);
      else this.#queue = [...writes, ...this.#queue];
      return true;
    } catch (reason) {
      this.#fault = this.#hooks.failed(reason).error;
      this.#pause();
      return false;
    }
  }

  /** Why the store could not be written when that was tried last; undefined where it could. */
  get fault(): Error | undefined {
    return this.#fault;
  }

  get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  /** Does nothing any more; those who wait are told why. */
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
    if (this.#touched.length === 0 || (this.#queue.length > 0 && this.#hasLookedLong())) {
      this.#lookedFrom = undefined;
      this.flush();
    } else {
      this.#lookedFrom ??= performance.now();
      this.#look();
    }
    if (this.#touched.length > 0 || (this.#queue.length > 0 && this.#pausing === undefined)) this.#schedule();
  }

  /** What is written together takes less than what is written apart: most of the time things are looked at, so that writing is the smaller part. */
  #hasLookedLong(): boolean {
    const longest = Math.min(Math.max(4 * this.#wrote, shortLook), longestLook);
    return this.#lookedFrom !== undefined && performance.now() - this.#lookedFrom >= longest;
  }

  #look(): void {
    const things = this.#touched;
    this.#touched = [];
    for (const thing of things) {
      thing.touched = false;
      guarded(thing, () => thing.look());
    }
  }

  /** Commits writes. Throws where the store fails. */
  #commitAll(writes: readonly Write[]): void {
    try {
      this.#begin.run();
      for (const { apply } of writes) apply();
      this.#committing = { done: writes, stranded: new Map() };
      this.#commit.run();
    } catch (reason) {
      if (isOfStore(reason)) throw reason;
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      this.#commitApart(writes);
    }
  }

  /** Commits writes of which one throws: without all that its owner has to write. */
  #commitApart(writes: readonly Write[]): void {
    const stranded = new Map<Strandable, unknown>();
    let done: readonly Write[];
    for (;;) {
      const before = stranded.size;
      done = writes.filter(({ owner }) => !stranded.has(owner));
      this.#begin.run();
      for (const { owner, apply } of done) {
        const outcome = stranded.has(owner) ? undefined : attempt(this.#db, apply);
        if (outcome && "reason" in outcome) stranded.set(owner, outcome.reason);
      }
      if (stranded.size === before) break;
      this.#db.exec("ROLLBACK");
    }
    this.#committing = { done, stranded };
    this.#commit.run();
  }

  #undo(writes: readonly Write[], reason: unknown): void {
    if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
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
    this.#pausing = setTimeout(() => {
      this.#pausing = undefined;
      this.#schedule();
    }, pause);
  }
}

/** What turns report. */
export interface TurnHooks {
  /** The store could not be written; it is tried again after a while, unless the fault is for good. Gives what to tell those who wait. */
  failed(reason: unknown): { readonly error: Error; readonly isForGood: boolean };
  /** Writes something that changes nothing: whether the store can be written again. */
  probe?(): void;
  /** A transaction is there for good; true: everything stops as if the process had been killed. For tests. */
  committed?(): boolean;
}

/** A database; one that is reached over a network may not say whether a commit was done. */
type Store = DatabaseSync & { readonly isUnsure?: boolean; wasDone?(): boolean };

interface Write {
  readonly owner: Strandable;
  readonly apply: () => void;
  readonly after: () => void;
  readonly fail?: (reason: unknown) => void;
}

/** What is written together, and those of whom nothing is, as a write of theirs has thrown. */
interface Committing {
  readonly done: readonly Write[];
  readonly stranded: ReadonlyMap<Strandable, unknown>;
}

const nothing: Committing = { done: [], stranded: new Map() };

/** What was committed is there for good. */
function goOn({ done, stranded }: Committing): void {
  for (const [owner, reason] of stranded) owner.strand(reason);
  for (const { owner, after } of done) guarded(owner, after);
}

/** Milliseconds for which things may be looked at before what there is to write is written: where writing takes little, and at most. */
const [shortLook, longestLook] = [2, 20];

/** Milliseconds until a write that failed is tried again. */
const pause = 1000;

/** A write that fails alone when what it does throws, and with all others when the store does. */
function asked<T>(
  db: DatabaseSync,
  apply: () => T,
  after: (value: T) => void,
  resolve: (value: T) => void,
  reject: (reason: unknown) => void,
): Write {
  let outcome: Attempt<T>;
  return {
    owner: { strand: reject },
    apply: () => {
      outcome = attempt(db, apply);
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

/** Does something in a transaction; what it throws undoes that alone. */
function attempt<T>(db: DatabaseSync, apply: () => T): Attempt<T> {
  db.exec("SAVEPOINT asked");
  try {
    const value = apply();
    db.exec("RELEASE asked");
    return { value };
  } catch (reason) {
    if (isOfStore(reason)) throw reason;
    db.exec("ROLLBACK TO asked; RELEASE asked");
    return { reason };
  }
}

/** Does something of which only its owner is concerned when it throws. */
export function guarded(owner: Strandable, act: () => void): void {
  try {
    act();
  } catch (reason) {
    owner.strand(reason);
  }
}

const nobody: Strandable = { strand: () => undefined };
