import type { CloudEvent } from "./events.ts";
import type { Json } from "./json.ts";
import type { AnyWorkflow } from "./workflow.ts";

/**
 * Runs workflows durably: whatever has been said of a run when a promise here resolves is there after a crash. One engine holds one store; a second one
 * on the same store is refused.
 */
export interface Engine {
  /**
   * Starts a run; with the id of one that there is already, that one is given and nothing started. Fails where there is no such workflow, and where the id
   * has half of a pair of surrogates.
   */
  start(workflow: string, input: Json, options?: { readonly id?: string | undefined }): Promise<RunSummary>;
  /** Takes an event in: it starts runs and goes to those that wait for it, each once, however often it is delivered. */
  deliver(event: CloudEvent): Promise<Delivery>;
  /** The runs, the newest first. */
  list(filter?: RunFilter): readonly RunSummary[];
  show(id: string): RunDetail | undefined;
  /** The versions of workflows that the program has, and those that runs in the store began with which have not ended. */
  versions(): readonly VersionUse[];
  /** Resolves when a run has ended, with how it did, or when it is stranded. */
  ended(id: string, signal?: AbortSignal): Promise<RunSummary>;
  /** Ends a run that goes on; false when it has ended already or is not there. */
  cancel(id: string): Promise<boolean>;
  /**
   * Lets a failed run go on from the step that failed, and a stranded one from where it was, and sends again what sinks have refused; false when there is
   * nothing of that.
   */
  retry(id: string): Promise<boolean>;
  /** Forgets runs that ended before an instant (in milliseconds since 1970), and what is kept of events that old; how many runs. */
  prune(before: number): Promise<number>;
  /** Why the store cannot be written at present, such as a full disk; undefined where it can. */
  fault(): Error | undefined;
  /** How many emitted events no sink has taken, and how many of these were refused. */
  unsent(): { readonly unsent: number; readonly refused: number };
  /** Lets what is being done be recorded, for so many seconds (5 when absent), and stops: what takes longer is done again by the next engine. */
  close(grace?: number): Promise<void>;
}

/** What an engine is made of. */
export interface EngineOptions {
  /** The file of the store; `:memory:` for none. */
  readonly store: string;
  /** The workflows; of several with one id the first is what new runs begin with, the others are for runs that began with them. */
  readonly workflows: readonly AnyWorkflow[];
  readonly functions: unknown;
  /**
   * Sends an emitted event: at least once each, with the same id, and again where it rejects, less and less often; but not where that is with `EventRefused`.
   * With `SinkAway` it says that the sink takes no event at present; with anything else, only this one waits. Those of one run leave in its order.
   */
  readonly send: (event: CloudEvent, sending: Sending) => Promise<void> | void;
  /** The name of the sink that events of a type go to: each is served apart from the others. Absent: there is one. */
  readonly sinkOf?: ((type: string) => string) | undefined;
  /** One line for each thing worth knowing. */
  readonly log: (entry: LogEntry) => void;
  /** Hears of runs and calls besides. */
  readonly telemetry?: Telemetry | undefined;
  /** The time, in milliseconds since 1970 (UTC); the machine's when absent. */
  readonly now?: () => number;
  /** How many seconds of that time pass in one second; 1 when absent: more for tests, as `now` has to tell. */
  readonly pace?: number | undefined;
  /** Runs are looked at and changed, and none goes on: for commands that only ask. */
  readonly isPaused?: boolean;
  /** How long events that no run can wait for are kept for failed ones that are retried, in seconds; a day when absent. */
  readonly keepEvents?: number;
  /** Whether they are forgotten then; true when absent. What goes on with runs for a while leaves that to the server, which knows how long they are kept. */
  readonly forgetsEvents?: boolean;
}

/** How an event is sent. */
export interface Sending {
  /** From 1 on. */
  readonly attempt: number;
  /** Aborted when the engine is closed. */
  readonly signal: AbortSignal;
}

/** Hears of what runs do, for traces and metrics. */
export interface Telemetry {
  /** A run has begun. */
  started(run: RunName): void;
  /** A run goes on in this process, until it rests or ends. */
  goesOn(run: RunName): void;
  rests(id: string): void;
  ended(run: RunSummary): void;
  /** Makes a call of a function for a step of a run that goes on. */
  call<T>(run: RunName, call: CallName, work: () => Promise<T> | T): Promise<T> | T;
}

/** Which run. */
export type RunName = Pick<RunSummary, "id" | "workflow" | "version">;

/** Which call: the name of its step in the workflow, and what the function knows of it. */
export interface CallName {
  readonly step: string;
  readonly key: string;
  readonly attempt: number;
}

/** Something worth knowing, for the log. */
export interface LogEntry {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly run?: string;
  readonly workflow?: string;
  readonly step?: string;
  readonly [detail: string]: Json | undefined;
}

/** `stranded`: it cannot go on, as the version of its workflow is not in the program, or for its `reason`. */
export type RunStatus = "running" | "waiting" | "succeeded" | "failed" | "cancelled" | "stranded";

/** Which runs. */
export interface RunFilter {
  readonly workflow?: string | undefined;
  readonly status?: RunStatus | undefined;
  readonly limit?: number | undefined;
}

/** What is known of a run at a glance. */
export interface RunSummary {
  readonly id: string;
  readonly workflow: string;
  readonly version: string;
  readonly status: RunStatus;
  /** ISO 8601 instants. */
  readonly created: string;
  readonly updated: string;
  /** Why it is stranded. */
  readonly reason?: string | undefined;
  readonly output?: Json | undefined;
  readonly error?: { readonly name: string; readonly message: string; readonly data?: Json | undefined } | undefined;
}

/** A version of a workflow, and how many runs that have not ended need it. */
export interface VersionUse {
  readonly workflow: string;
  readonly version: string;
  readonly runs: number;
  /** `new`: new runs begin with it; `previous`: it is there for runs that began with it; `missing`: these runs are stranded. */
  readonly code: "new" | "previous" | "missing";
}

/** What is known of a run in full. */
export interface RunDetail extends RunSummary {
  /** Null where what is stored is damaged. */
  readonly input: Json;
  /** The steps recorded since the last round of a loop, in order. */
  readonly steps: readonly {
    readonly key: string;
    readonly status: "done" | "failed" | "waiting";
    readonly at: string;
  }[];
  /** What it waits for: events by their definitions, and the next instant. */
  /** What it has emitted and no sink has taken, in that order, and why not when it was tried last. */
  readonly unsent: readonly {
    readonly event: string;
    readonly type: string;
    readonly at: string;
    readonly status: "waiting" | "refused";
    readonly attempts: number;
    readonly reason?: string | undefined;
  }[];
  readonly waitingFor: { readonly events: readonly string[]; readonly until?: string | undefined };
}

/** What became of an event. */
export interface Delivery {
  readonly status: "accepted" | "duplicate";
  /** The runs that it has started at once, and those that it went to: where none of these uses it, it may start one later. */
  readonly started: readonly string[];
  readonly delivered: readonly string[];
}
