import type { EngineOptions, LogEntry, RunSummary } from "../engine.ts";
import type { AnyWorkflow } from "../workflow.ts";
import type { StoreBroker } from "./broker.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { Outbox } from "./outbox.ts";
import type { Processes } from "./processes.ts";
import type { ReplayingRun } from "./replay.ts";
import type { Space } from "./space.ts";
import type { Statements } from "./statements.ts";
import type { Reading, Store, Task } from "./store.ts";

/** A caller that waits for the end of a run. */
export interface Watcher {
  readonly ended: (summary: RunSummary) => void;
  /** The engine is closed first. */
  readonly closed: (reason: Error) => void;
}

/** What the parts of an engine share. */
export interface Core {
  readonly options: EngineOptions;
  readonly db: Store;
  readonly sql: Statements;
  /** Executes queries outside of transactions. */
  readonly read: <T>(reading: Reading<T>) => Promise<T>;
  readonly commits: GroupCommit;
  /** The time, in milliseconds since 1970: it never goes back. */
  readonly now: () => number;
  /** The workflows of the program by their numbers in the store. */
  readonly workflows: Map<number, AnyWorkflow>;
  /** The ids and versions of all workflows in the store, by their numbers. */
  readonly names: Map<number, { readonly id: string; readonly version: string }>;
  /** Those with active runs that the program lacks. */
  readonly strangers: ReadonlySet<number>;
  /** The workflows of new runs, with their numbers, by id. */
  readonly newest: ReadonlyMap<string, { readonly ref: number; readonly workflow: AnyWorkflow }>;
  /** The runs in memory. */
  readonly live: Map<number, ReplayingRun>;
  /** The runs that are being loaded. */
  readonly loading: Set<number>;
  /** Those that only wait; the longest waiting run comes first. */
  readonly resting: Map<number, ReplayingRun>;
  /** Runs that cannot continue in this process until they are retried. */
  readonly stranded: Set<number>;
  /** The events and waits of the store. */
  readonly broker: StoreBroker;
  /** The callers that wait for the end of a run, by its id. */
  readonly watchers: Map<string, Set<Watcher>>;
  /** The number in the store of a workflow of the program; undefined for another. */
  readonly find: (workflow: AnyWorkflow) => number | undefined;
  /** As `find`, but adds adopted workflows to the store. Within a transaction. */
  readonly refOf: (workflow: AnyWorkflow) => Task<number>;
  /** Adds the rules of a workflow that the program lacks. */
  readonly adopt: (workflow: AnyWorkflow) => void;
  readonly log: (entry: LogEntry) => void;
  /** The maximum number of runs that only wait in memory. */
  readonly most: number;
  /** The maximum size of a recorded string, in bytes. */
  readonly longest: number;
  /** Called when a task is offered to workers. */
  readonly pollers: Set<() => void>;
  /** Loads and continues a run, unless it is in memory or the program lacks its version. */
  readonly wake: (ref: number) => void;
  /** Schedules the check for due timers of runs that are not in memory. */
  alarm: (at: number) => void;
  /** Sends emitted events; absent if no runs are executed. */
  outbox?: Outbox;
  /** Absent if the store is not a file. */
  space?: Space;
  /** The runs that are to continue after suspects have been tried; absent if no suspects are tried. */
  held?: Set<number> | undefined;
  isClosing: boolean;
  readonly processes: Processes;
}
