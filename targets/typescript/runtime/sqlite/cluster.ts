/** Several processes on one store: what an engine asks about the others, and tells them. Absent where one process has the store alone. */
export interface Cluster {
  /** Whether a run goes on in this process. */
  isHere(run: number): boolean;
  /** Sees to it that a run goes on that is not here. */
  dispatch(run: number): void;
  /** Whether another process goes on with a run. Within a transaction. */
  isElsewhere(run: number): boolean;
  /** An entry for a run that is elsewhere, until its process gives it a place in the journal. Within a transaction. */
  newPlace(): number;
  /** Learns which versions of workflows there are, and which of these run elsewhere. Within a transaction. */
  refresh(): void;
  /** The versions that this process lacks and others have, while runs of these go on. */
  readonly elsewhere: ReadonlySet<number>;
  /** Another process has to stop with a run. Within a transaction. */
  stop(run: number): void;
}

/** From here on, entries of journals are those that the process of their run has not given a place. */
export const unplaced = 2 ** 40;
