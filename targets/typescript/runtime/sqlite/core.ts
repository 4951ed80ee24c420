import type { DatabaseSync } from "node:sqlite";
import type { EngineOptions, LogEntry, RunSummary } from "../engine.ts";
import type { AnyWorkflow } from "../workflow.ts";
import type { StoreBroker } from "./broker.ts";
import type { Cluster } from "./cluster.ts";
import type { LiveRun } from "./live.ts";
import type { Outbox } from "./outbox.ts";
import type { Statements } from "./statements.ts";
import type { Turns } from "./turns.ts";

/** Someone who wants to know how a run ends. */
export interface Watcher {
  readonly ended: (summary: RunSummary) => void;
  /** The engine is closed before. */
  readonly closed: (reason: Error) => void;
}

/** What the parts of an engine share. */
export interface Core {
  readonly options: EngineOptions;
  readonly db: DatabaseSync;
  readonly sql: Statements;
  readonly turns: Turns;
  /** The time, in milliseconds since 1970: it never goes back. */
  readonly now: () => number;
  /** The workflows of the program by their numbers in the store. */
  readonly workflows: Map<number, AnyWorkflow>;
  /**
   * The ids and versions of all workflows in the store by their numbers, and those of them that have runs which go on, and that are not in
   * the program.
   */
  readonly names: Map<number, { readonly id: string; readonly version: string }>;
  readonly strangers: ReadonlySet<number>;
  /** By its id, the workflow that new runs begin with, and its number. */
  readonly newest: ReadonlyMap<string, { readonly ref: number; readonly workflow: AnyWorkflow }>;
  /** The runs in memory. */
  readonly live: Map<number, LiveRun>;
  /** Those of them that only wait, the one that has waited longest first. */
  readonly resting: Map<number, LiveRun>;
  /** Those that cannot go on in this process, until they are retried. */
  readonly stranded: Set<number>;
  /** The events and waits of the store. */
  readonly broker: StoreBroker;
  /** Those who want to know how a run ends, by its id. */
  readonly watchers: Map<string, Set<Watcher>>;
  /** The number in the store of a workflow of the program; undefined for another. */
  readonly find: (workflow: AnyWorkflow) => number | undefined;
  /** As `find`; another one is given a number. */
  readonly refOf: (workflow: AnyWorkflow) => number;
  readonly log: (entry: LogEntry) => void;
  /** How many runs that only wait are kept in memory. */
  readonly most: number;
  /** How many bytes one text has at most that is recorded. */
  readonly longest: number;
  /** Brings a run into memory and lets it go on; nothing where it is there already or its code is not. */
  readonly wake: (ref: number) => void;
  /** Sees to it that a timer of a run that is not in memory is noticed. */
  alarm: (at: number) => void;
  /** Sends what runs emit; absent where no run goes on. */
  outbox?: Outbox;
  isClosing: boolean;
  /** The other processes on the store; absent where there are none. */
  readonly cluster?: (Cluster & { begin(): { stop(): void } }) | undefined;
}
