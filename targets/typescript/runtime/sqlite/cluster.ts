/** Several processes on one store: what an engine asks about the others, and tells them. Absent where one process has the store alone. */
export interface Cluster {
  /** Whether a run goes on in this process. */
  isHere(run: number): boolean;
  /** Sees to it that a run goes on that is not here. */
  dispatch(run: number): void;
  /** Whether another process goes on with a run. Within a transaction. */
  isElsewhere(run: number): boolean;
  /** A place for an event that comes to a run which is elsewhere, until its process gives it one in the journal. Within a transaction. */
  newPlace(): number;
  /** Whether a run that is elsewhere has not gone through an event, so that it may still use it. Within a transaction. */
  isUnheard(run: number, place: number): boolean;
  /** Learns which versions of workflows there are, and which of these run elsewhere. Within a transaction. */
  refresh(): void;
  /** The versions that this process lacks and others have, while runs of these go on. */
  readonly elsewhere: ReadonlySet<number>;
  /** Another process has to stop with a run. Within a transaction. */
  stop(run: number): void;
}

/** Another process has used an event which a run here has just used as well: the run goes back to what is recorded of it. */
export class UsedElsewhere extends Error {
  constructor() {
    super("Another process has used the event.");
    this.name = "UsedElsewhere";
  }
}

/** Places from here on are those of events that the process of their run has not given one in the journal. */
export const unplaced = 2 ** 40;
