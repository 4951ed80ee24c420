import {
  eventStatements,
  missedStatements,
  partitionStatements,
  subscriptionStatements,
  waitStatements,
} from "./statements/events.ts";
import { journalStatements, retryStatements, roundStatements } from "./statements/journal.ts";
import { outboxStatements } from "./statements/outbox.ts";
import { pruneStatements, runReads, runWrites, storeStatements } from "./statements/runs.ts";
import { taskStatements } from "./statements/tasks.ts";
import type { Store } from "./store.ts";

/** A nullable string column. */
export type Text = string | null;

/** A row of `runs`; times are in milliseconds since 1970. */
export interface RunRow {
  readonly ref: number;
  readonly id: string;
  readonly workflow: number;
  readonly status: string;
  readonly created: number;
  readonly updated: number;
  readonly input: string;
  readonly token: Text;
  readonly parent: Text;
  readonly output: Text;
  readonly error: Text;
  readonly wake_at: number | null;
  readonly waits: Text;
  readonly cause: number | null;
  readonly reason: Text;
  readonly deaths: number;
  /** The root run of a subflow that runs apart. */
  readonly root: number | null;
  /** The trace context of the request or event that has started it. */
  readonly trace: Text;
}

/** The text of an emitted event, and the trace context of the run that has emitted it. */
export interface OutgoingText {
  readonly text: string;
  readonly trace: Text;
}

/** The number of runs of a version of a workflow with a status. */
export interface CountRow {
  readonly workflow: number;
  /** The id of the workflow. */
  readonly id: string;
  readonly status: string;
  readonly n: number;
}

/** A row of a list of runs, with the beginning of the run's error. */
export type ListedRow = Pick<RunRow, "ref" | "id" | "workflow" | "status" | "created" | "updated" | "reason" | "error">;

/**
 * The kind of a journal entry. A `due` row is a timer; `begun` and `over` concern detached work; a `retried` row
 * records that a failure under its key was deleted.
 */
export type Kind = "value" | "failure" | "due" | "fired" | "begun" | "over" | "retried";

/** A row of `journal`. */
export interface JournalRow {
  readonly seq: number;
  readonly key: string;
  readonly kind: Kind;
  readonly value: Text;
  readonly at: number;
}

/** A recorded step: the beginning of its value with the length of the whole, and its call if there was one. */
export interface StepRow extends JournalRow {
  /** In bytes. */
  readonly size: number | null;
  /** The duration in milliseconds. */
  readonly took: number | null;
  readonly attempt: number | null;
}

/** A row of `rounds`. */
export interface RoundRow {
  readonly prefix: string;
  readonly name: string;
  readonly since: number;
  readonly after: number;
  readonly data: string;
  readonly entered: string;
}

/** An event that may still be used. */
export interface EventRow {
  readonly ref: number;
  readonly at: number;
  readonly text: string;
  /** What the broker knows of it, as JSON. */
  readonly state: string;
}

/** A wait of a run. */
export interface WaitRow {
  readonly run: number;
  /** The key under which the run records its result. */
  readonly key: string;
  readonly inbox: string;
  readonly step: string;
  readonly partition: string;
  readonly root: number;
  /** 1 while events that arrived before its end are discarded. */
  readonly dropping: number;
  readonly text: string;
}

/** A run, or a subflow in it, that receives events. */
export interface SubscriptionRow {
  readonly run: number;
  readonly inbox: string;
  readonly workflow: number;
  readonly after: number | null;
  readonly value: Text;
  /** The values that unconfirmed waits have bound, as JSON. */
  readonly bound: Text;
  readonly root: number;
  /** 0 for a root run; its subflows are numbered in the order in which they begin. */
  readonly number: number;
}

/** What is known of a run, or a subflow in it, that receives events. */
export type RecordRow = Pick<SubscriptionRow, "after" | "value" | "bound">;

/** A row of `outbox`; `refused` is 1 if the sink rejects the event. */
export interface OutgoingRow {
  readonly ref: number;
  readonly run: number;
  readonly type: string;
  readonly at: number;
  readonly attempts: number;
  readonly refused: number;
  readonly reason: Text;
}

/** A task that callers report about. */
export interface TaskRow {
  /** The hash of its token. */
  readonly task: string;
  readonly run: number;
  /** The key of its answer in the journal of the run. */
  readonly key: string;
  /** The key of its token there. */
  readonly token: string;
  readonly state: "awaited" | "answered" | "over";
  /** The last sign of life, or the end. */
  readonly beat: number;
  readonly digest: Text;
}

/** A task that a worker may take. */
export interface OfferedTaskRow extends Pick<TaskRow, "task" | "run" | "token" | "beat"> {
  readonly input: string;
  /** The key under which it is recorded that a worker has taken it. */
  readonly taken: string;
}

/** The prepared statements of a store. */
export type Statements = ReturnType<typeof statementsOf>;

/** Prepares the statements of a store. */
export const statementsOf = (db: Store) => ({
  ...storeStatements(db),
  ...runReads(db),
  ...runWrites(db),
  ...journalStatements(db),
  ...retryStatements(db),
  ...roundStatements(db),
  ...eventStatements(db),
  ...partitionStatements(db),
  ...waitStatements(db),
  ...subscriptionStatements(db),
  ...missedStatements(db),
  ...outboxStatements(db),
  ...taskStatements(db),
  ...pruneStatements(db),
});
