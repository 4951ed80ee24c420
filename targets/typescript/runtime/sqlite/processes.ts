import type { Reading, Task } from "./store.ts";

/** The processes that execute the runs of a store, as one of them sees them. */
export interface Processes {
  /** Whether only this process changes the store, so that rows may be cached. */
  readonly isAlone: boolean;
  /** The versions with active runs that other processes serve and this one lacks. */
  readonly elsewhere: ReadonlySet<number>;
  /** Prepares the store that this process has opened. */
  prepare(): Reading<void>;
  /** Begins to execute runs. */
  begin(): Task<readonly Activity[]>;
  /** Whether this process executes a run that continues. If not, another process will. */
  admits(run: number): boolean;
  /** Reserves the next journal entry of a run that is not in memory. Within a transaction. */
  reserve(run: number): Task<ReservedEntry>;
  /** Updates the versions of workflows in the store, and which of them other processes serve. Within a transaction. */
  refresh(): Reading<void>;
  /** Stops a run that is not in memory. Within a transaction. */
  stop(run: number): Reading<void>;
}

/** What a process does until it is stopped. */
export interface Activity {
  stop(): void;
}

/** A reserved entry. If another process executes the run, it renumbers the entry. */
export interface ReservedEntry {
  readonly seq: number;
  readonly isElsewhere: boolean;
}

/** Journal entries with numbers from here on are provisional. */
export const unplaced = 2 ** 40;
