import type { CloudEvent } from "./events.ts";
import type { Json } from "./json.ts";
import type { ActivityTask, TakeOptions, TaskOptions, TaskReceipt, TaskReport } from "./tasks.ts";
import type { AnyWorkflow } from "./workflow.ts";

/**
 * Runs workflows durably: when a promise resolves, its effect survives a crash. One engine holds a store; a second one
 * on the same store is rejected.
 */
export interface Engine {
  /**
   * Starts a run, or returns the existing run with the id. Rejects if there is no such workflow, or if the id has a
   * lone surrogate.
   */
  start(workflow: string, input: Json, options?: StartOptions): Promise<RunSummary>;
  /**
   * Delivers an event to the runs that wait for it, or starts runs with it: once, even if it is delivered several
   * times.
   */
  deliver(event: CloudEvent, options?: DeliveryOptions): Promise<Delivery>;
  /** Reports about a task by its token: a report that ends it counts once. */
  reportTask(token: string, report: TaskReport, options?: TaskOptions): Promise<TaskReceipt>;
  /** The number of tasks without an answer, by workflow. */
  awaitedTasks(): Promise<ReadonlyMap<string, number>>;
  /** Takes the oldest task that runs offer to the workers of an activity; undefined if there is no such task. */
  takeTask(activity: string, options?: TakeOptions): Promise<ActivityTask | undefined>;
  /**
   * Lists a page of runs, newest first. Rejects with a `RangeError` if the limit or the cursor of the filter is invalid.
   */
  list(filter?: RunFilter): Promise<RunPage>;
  /** The number of runs by status, of each workflow in the store that the filter selects. */
  counts(filter?: Pick<RunFilter, "workflow" | "workflows">): Promise<ReadonlyMap<string, RunCounts>>;
  /** The details of a run; undefined if it does not exist. */
  show(id: string): Promise<RunDetail | undefined>;
  /**
   * The recorded steps of a run since the last round of a loop, in order; undefined if the run does not exist. Rejects
   * with a `RangeError` if the limit or the cursor is invalid.
   */
  steps(id: string, filter?: StepFilter): Promise<StepPage | undefined>;
  /** The versions of workflows in the program, and those of runs in the store that have not ended. */
  versions(): Promise<readonly VersionUse[]>;
  /** Resolves when a run has ended or is stranded. */
  ended(id: string, signal?: AbortSignal): Promise<RunSummary>;
  /** Cancels a run; false if it has ended or does not exist. */
  cancel(id: string): Promise<boolean>;
  /**
   * Resumes a failed run from the step that failed, or a stranded one, and resends events that sinks have rejected;
   * false if there is nothing to retry. With `from`, the key of a recorded step, everything since the first such step is
   * deleted from the journal of a failed run and repeated: functions are called with new keys. Rejects with
   * `CannotRetry` if that is impossible.
   */
  retry(id: string, options?: { readonly from?: string | undefined }): Promise<boolean>;
  /**
   * Deletes runs that ended before an instant (milliseconds since 1970), and events as old. Returns the number of runs.
   */
  prune(before: number): Promise<number>;
  /** Deletes a run that has ended, with all its data. */
  forget(id: string): Promise<ForgetResult>;
  /**
   * Rewrites the store, so that it takes the least space. Nothing else happens meanwhile. Rejects if the store is not a
   * file.
   */
  compact(): Promise<void>;
  /** Why the store cannot be written, such as a full disk; undefined if it can. */
  fault(): Error | undefined;
  /** How many emitted events no sink has accepted, and how many of these were rejected. */
  unsent(): Promise<UnsentCounts>;
  /**
   * Stops after current work is recorded, at most this many seconds (default 5). The next engine repeats what takes
   * longer.
   */
  close(grace?: number): Promise<void>;
}

/** The configuration of an engine. */
export interface EngineOptions {
  /** The file of the store, or `:memory:`. */
  readonly store: string;
  /** The workflows. Of several with one id, new runs use the first; the others are for their existing runs. */
  readonly workflows: readonly AnyWorkflow[];
  readonly functions: unknown;
  /**
   * Sends an emitted event. Called at least once for each, and again with growing delays if it rejects, except with
   * `EventRefused`. `SinkAway` delays all events of the sink, any other error only this one. Events of one run are sent
   * in order.
   */
  readonly send: (event: CloudEvent, sending: Sending) => Promise<void> | void;
  /** The name of the sink for a type of events. Sinks are served independently; by default, there is one. */
  readonly sinkOf?: ((type: string) => string) | undefined;
  /** Encodes the stored data of runs, such as by encryption; by default, they are stored as they are. */
  readonly codec?: Codec | undefined;
  /** Logs an entry. */
  readonly log: (entry: LogEntry) => void;
  /** Also receives runs and calls. */
  readonly telemetry?: Telemetry | undefined;
  /** The time, in milliseconds since 1970 (UTC); by default the machine's. */
  readonly now?: () => number;
  /** How many seconds of `now` pass in one second, for tests; by default 1. */
  readonly pace?: number | undefined;
  /** Whether runs are only read and changed but not continued, for commands. */
  readonly isPaused?: boolean;
  /** How long events that no run can wait for are kept for retries of failed runs, in seconds; by default seven days. */
  readonly keepEvents?: number;
  /**
   * Whether they are deleted then; by default, they are. Short commands leave that to the server, which knows the
   * retention.
   */
  readonly forgetsEvents?: boolean;
}

/** How a run is started. */
export interface StartOptions {
  /** Default: random. */
  readonly id?: string | undefined;
  /** The trace context of the request, which is kept with the run. */
  readonly trace?: string | undefined;
}

/** An attempt to send an event. */
export interface Sending {
  /** From 1 on. */
  readonly attempt: number;
  /** Aborted when the engine is closed. */
  readonly signal: AbortSignal;
  /** The trace context of the run that has emitted the event. */
  readonly trace?: string | undefined;
}

/** Observes runs, for traces and metrics. */
export interface Telemetry {
  /** A run has started. */
  started(run: RunName): void;
  /** A run continues in this process, until it waits or ends. */
  resumed(run: RunName): void;
  suspended(id: string): void;
  ended(run: RunSummary): void;
  /** Wraps a call of a function. */
  call<T>(run: RunName, call: CallName, work: () => Promise<T> | T): Promise<T> | T;
  /** The trace context of what a run does at present, for the functions that it calls. */
  traceOf?(id: string): string | undefined;
  /** A commit has taken this many seconds. */
  committed?(seconds: number): void;
}

/** Identifies a run. */
export type RunName = Pick<RunSummary, "id" | "workflow" | "version"> & {
  /** The trace context of the request or event that has started it. */
  readonly trace?: string | undefined;
};

/** Identifies a call: the name of its step in the workflow, and the key and attempt that the function receives. */
export interface CallName {
  readonly step: string;
  readonly key: string;
  readonly attempt: number;
}

/** An entry of the log. */
export interface LogEntry {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly run?: string;
  readonly workflow?: string;
  readonly step?: string;
  readonly [detail: string]: Json | undefined;
}

/** `stranded`: it cannot continue, because its version of the workflow is missing or for its `reason`. */
export type RunStatus = "running" | "waiting" | "succeeded" | "failed" | "cancelled" | "stranded";

/**
 * Encodes the stored data of runs: inputs, results, outputs, errors and events. Ids, names, times and correlation values
 * are not encoded. The functions are synchronous, because steps are recorded in transactions that do not wait; a module
 * can load keys before it exports them.
 */
export interface Codec {
  encode(data: Uint8Array): Uint8Array;
  /** Decodes what `encode` has returned, possibly with an earlier key. Throws if that is impossible. */
  decode(data: Uint8Array): Uint8Array;
}

/** Selects runs. */
export interface RunFilter {
  readonly workflow?: string | undefined;
  /** Only runs of one of these workflows. */
  readonly workflows?: readonly string[] | undefined;
  readonly status?: RunStatus | undefined;
  /** The maximum number of runs: 1 to 1,000; by default 100. */
  readonly limit?: number | undefined;
  /** The cursor of the previous page, for the next one. */
  readonly after?: string | undefined;
  /** Only runs that started at this instant or later (milliseconds since 1970), and before `until`. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  /** Only runs with this correlation value: at their start, or at present while they are active. */
  readonly value?: string | undefined;
  /** Only failed runs whose error contains this text, in upper or lower case. */
  readonly error?: string | undefined;
}

/** The number of runs by status. */
export type RunCounts = { readonly [status in RunStatus]: number };

/** Selects steps of a run. */
export interface StepFilter {
  /** The maximum number of steps: 1 to 1,000; by default 100. Results longer than 1 MB / limit are omitted. */
  readonly limit?: number | undefined;
  /** The cursor of the previous page, or of a step, for the following ones. */
  readonly after?: string | undefined;
}

/** A page of the steps of a run. */
export interface StepPage {
  readonly steps: readonly StepRecord[];
  /** On the last page: what has begun and has no result. */
  readonly pending: readonly PendingStep[];
  /** The cursor for the next page; absent on the last page. */
  readonly next?: string | undefined;
}

/** A recorded step of a run. */
export interface StepRecord {
  readonly cursor: string;
  readonly key: string;
  /** `fired`: a timer. */
  readonly status: "done" | "failed" | "fired";
  readonly at: string;
  /** When its call began. */
  readonly began?: string | undefined;
  /** The number of the call's attempt, from 1 on. */
  readonly attempt?: number | undefined;
  readonly result?: Json | undefined;
  /** The length in bytes of a result that is omitted. */
  readonly size?: number | undefined;
  readonly error?: RunSummary["error"];
}

/** A step that has begun and has no result: a call, or what the run waits for. */
export interface PendingStep {
  readonly key: string;
  readonly began?: string | undefined;
  readonly events?: readonly string[] | undefined;
  /** It waits for the answer of its task, or until a worker of the activity takes it. */
  readonly isTask?: true | undefined;
  readonly activity?: string | undefined;
  readonly until?: string | undefined;
}

/** A page of a list of runs. */
export interface RunPage {
  readonly runs: readonly ListedRun[];
  /** The cursor for the next page; absent on the last page. */
  readonly next?: string | undefined;
}

/** A run in a list: without its output, and with an error message of at most 1,000 bytes. */
export interface ListedRun extends Omit<RunSummary, "output" | "error"> {
  readonly error?: { readonly name: string; readonly message: string } | undefined;
}

/** The number of emitted events that no sink has accepted, and of those among them that were rejected. */
export interface UnsentCounts {
  readonly unsent: number;
  readonly refused: number;
}

/** A summary of a run. */
export interface RunSummary {
  readonly id: string;
  readonly workflow: string;
  readonly version: string;
  readonly status: RunStatus;
  /** ISO 8601 instants. */
  readonly created: string;
  readonly updated: string;
  /** Why the run is stranded. */
  readonly reason?: string | undefined;
  readonly output?: Json | undefined;
  readonly error?: { readonly name: string; readonly message: string; readonly data?: Json | undefined } | undefined;
}

/** A version of a workflow, and the number of runs that need it and have not ended. */
export interface VersionUse {
  readonly workflow: string;
  readonly version: string;
  readonly runs: number;
  /** `new`: used by new runs; `previous`: kept for existing runs; `missing`: its runs are stranded. */
  readonly code: "new" | "previous" | "missing";
}

/** The details of a run. */
export interface RunDetail extends RunSummary {
  /** Null if the store is damaged. */
  readonly input: Json;
  /** The trace context (W3C) of the request or event that has started the run. */
  readonly trace?: string | undefined;
  /** Its correlation value, if it has one. */
  readonly correlation?: Json | undefined;
  /** The steps recorded since the last round of a loop, in order. */
  readonly steps: readonly {
    readonly key: string;
    readonly status: "done" | "failed" | "waiting";
    readonly at: string;
  }[];
  /** Emitted events that no sink has accepted, in order, with the reason of the last failure. */
  readonly unsent: readonly {
    readonly event: string;
    readonly type: string;
    readonly at: string;
    readonly status: "waiting" | "refused";
    readonly attempts: number;
    readonly reason?: string | undefined;
  }[];
  /** The events that it waits for, by definition, the tasks, and the next instant. */
  readonly waitingFor: {
    readonly events: readonly string[];
    /** The keys of the calls whose tasks have no answer, and the activities whose workers have not taken a task. */
    readonly tasks?: readonly string[] | undefined;
    readonly activities?: readonly string[] | undefined;
    readonly until?: string | undefined;
  };
}

/**
 * The result of deleting a run: it is `active` if it has not ended, or has detached work in progress or events to send.
 */
export type ForgetResult = "forgotten" | "active" | "missing";

/** Options of a delivery. */
export interface DeliveryOptions {
  /**
   * The ids of runs that the event may start, by workflow; otherwise they have random ids. If such a run exists, the
   * event starts no run of the workflow. Only the SQLite engine supports it.
   */
  readonly runs?: { readonly [workflow: string]: string } | undefined;
  /** The trace context of the request, for runs that an event without its own (`traceparent`) starts. */
  readonly trace?: string | undefined;
}

/** The result of a delivery. */
export interface Delivery {
  readonly status: "accepted" | "duplicate";
  /** The runs that the event has started, and those whose waits it has ended. Later waits may use it otherwise. */
  readonly started: readonly string[];
  readonly delivered: readonly string[];
}
