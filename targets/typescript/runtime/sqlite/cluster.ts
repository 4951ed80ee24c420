/** The other processes on a shared store. Absent if one process owns the store. */
export interface Cluster {
  /** Whether this process executes a run. */
  isHere(run: number): boolean;
  /** Makes another process continue a run. */
  dispatch(run: number): void;
  /** Whether another process executes a run. Within a transaction. */
  isElsewhere(run: number): boolean;
  /**
   * The provisional number of a journal entry for a run of another process, which renumbers it. Within a transaction.
   */
  newPlace(): number;
  /** Reads the versions of workflows in the store, and which of them other processes serve. Within a transaction. */
  refresh(): void;
  /** The versions with active runs that other processes serve and this one lacks. */
  readonly elsewhere: ReadonlySet<number>;
  /** Requests the process of a run to stop it. Within a transaction. */
  stop(run: number): void;
}

/** Journal entries with numbers from here on are provisional. */
export const unplaced = 2 ** 40;
