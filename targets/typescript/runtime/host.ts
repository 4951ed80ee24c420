import type { CallName } from "./engine.ts";
import type { CloudEvent, Received, ReceivedEvent } from "./events.ts";
import type { Signal } from "./flow/abort.ts";
import type { Step } from "./flow.ts";
import type { Json, JsonObject } from "./json.ts";
import type { AnyWorkflow } from "./workflow.ts";

/**
 * Where a run executes. The host records effects and replays them when a run is resumed; branches, retries and timeouts
 * work the same on every host. Each effect of a run has its own key, and a resumed run uses the same keys. `test/hosts`
 * checks these invariants of hosts that store runs:
 *
 * 1. Recorded once. A result is durable before the run continues with it, and its effect is never repeated. An effect
 *    that was in progress when a process died is repeated with the same key. A run receives one result at a time, in
 *    the order in which they were recorded, also when it is resumed.
 * 2. Durable timers. The instant is recorded at the first request. The timer fires once, then or as soon as a process
 *    runs.
 * 3. Durable children. A detached workflow is a run of its own, started in the transaction that records its start. A
 *    subflow that the run waits for is part of the run.
 * 4. Events. The broker (`src/events`) makes every decision. An event is accepted once, by its source and id, in one
 *    transaction with the effects of that. Events that runs emit are accepted like any other, in the transaction that
 *    records them.
 * 5. Starts. A request with the id of an existing run returns that run. An event starts at most one run of a workflow.
 * 6. Versions. A run keeps its version of the workflow. Without that version it is stranded, and nothing is lost.
 * 7. Runs can be listed, inspected, canceled, retried from where they failed, and deleted when they have ended.
 * 8. A process never executes a run that another process executes.
 *
 * The host in memory (`memory.ts`) keeps those of a single process.
 */
export interface Host {
  readonly runId: string;
  /** The time, in milliseconds since 1970 (UTC). */
  now(): number;
  /** A number in [0, 1) for jitter; recorded runs get the same one for the same key. */
  random(key: string): number;
  /** How often the failure recorded under a key was deleted to retry the run. */
  retried(key: string): number;
  /** Whether the process is about to stop, so that calls that have not begun should not begin. */
  isStopping?(): boolean;
  /** Called when a step is entered. */
  visit(step: string): void;
  /**
   * Executes work once. Its result or failure is recorded under the key before the run continues; aborted work is not
   * recorded. Hosts that record nothing return synchronous results synchronously. `attempt` counts the calls of the
   * step from 1 on; it is recorded for display.
   */
  once<T>(key: string, work: () => Promise<T> | T, signal: Signal, attempt?: number): Promise<T> | T;
  /** Called when a subflow starts that its starter waits for, the `depth`-th of those that wait for each other. */
  nest?(depth: number, input: Json): void;
  /** The trace context of the run, for the functions that it calls. */
  traceOf?(): string | undefined;
  /** Wraps each call of a function, for telemetry. */
  calling?<T>(call: CallName, work: () => Promise<T> | T): Promise<T> | T;
  /**
   * Resolves this many seconds after the first request under the key, after everything else of that instant. Rejects
   * with the signal's reason if aborted. Timers of one instant fire in the order of their positions.
   */
  sleep(key: string, seconds: number, place: Place): Promise<void>;
  /** Like `sleep`, until an instant in milliseconds since 1970. */
  sleepUntil(key: string, instant: number, place: Place): Promise<void>;
  /**
   * Executes work once without waiting for it, even after the run has ended. `launched` is the workflow that the work
   * runs, if it runs one, so that the host can make it a run of its own.
   */
  detach(key: string, work: () => Promise<unknown>, launched?: Launched): Promise<void> | void;
  /**
   * Records the data of a loop's next round, and deletes what earlier rounds recorded. Returns what is recorded;
   * undefined if the host records nothing. The loop is identified by its name and the key prefix of its flow; `entered`
   * counts how often each step has been entered.
   */
  round(
    prefix: string,
    name: string,
    data: JsonObject,
    entered: Recorded<RoundState["entered"]>,
  ): Promise<RoundState> | undefined;
  /** Yields to other runs during long computations; undefined without any. */
  giveWay(): Promise<void> | undefined;
  /**
   * Subscribes a run, or a subflow in it, to events from now on. The broker knows it by the run's id and the key, which
   * is the prefix of the keys of all its effects: empty for the run itself. A resumed run subscribes again.
   */
  subscribe(key: string, workflow: AnyWorkflow, start: SubscriptionStart): Subscription;
  /**
   * Waits for events. The broker decides with what the wait ends; its result, or the error of a condition, is recorded
   * under the key. If aborted, it rejects with the signal's reason, and what the wait has already received is released.
   * If the events are already there, the run continues before anything else happens. The host expires the wait's
   * alternatives. Of waits that begin or end at one instant, those with smaller positions come first.
   */
  receive(key: string, request: WaitRequest, place: Place): Promise<WaitResult> | WaitResult;
  /** Emits an event once. Waits and starts of the program receive it, also if no sink accepts it. */
  emit(key: string, event: CloudEvent, signal: Signal): Promise<void> | void;
  /**
   * Creates a task that is answered by a token, which is recorded under the key before the run continues: a repeated
   * request returns the same token.
   */
  openTask(key: string, task: NewTask, place: Place): Promise<string> | string;
  /** Offers a task to the workers of an activity, until one has taken it, which is recorded under the key. */
  offerTask(key: string, offer: TaskOffer, place: Place): Promise<void> | void;
  /**
   * Waits for the answer of a task, which is recorded under its key whenever it arrives, once. A failure and a missed
   * heartbeat reject. If aborted, the task is over, and later answers are refused.
   */
  taskAnswer(key: string, request: TaskRequest, place: Place): Promise<Json> | Json;
  /** Calls a workflow outside the program. */
  callWorkflow(id: string, input: Json, step: Step): Promise<Json>;
}

/**
 * A place in a run: the indexes of the enclosing branches and iterations, outermost first, and the signal that cancels
 * it.
 */
export interface Place {
  readonly position: readonly number[];
  readonly signal: Signal;
}

/** A task to create. */
export interface NewTask {
  /** The name of its step in the workflow. */
  readonly step: string;
  /** The key of its answer. */
  readonly answer: string;
}

/** A task for the workers of an activity. */
export interface TaskOffer {
  readonly token: string;
  /** The name of its step in the workflow. */
  readonly step: string;
  readonly activity: string;
  readonly input: Json;
}

/** A task that a run waits for. */
export interface TaskRequest {
  readonly token: string;
  /** In seconds, from the creation of the task, or from when a worker has taken it. */
  readonly heartbeat?: number | undefined;
}

/** A detached workflow. */
export interface Launched {
  readonly workflow: AnyWorkflow;
  readonly input: Json;
}

/** A value with a recorded form. */
export interface Recorded<T> {
  toRecord(): T;
}

/**
 * The state at the beginning of a round: the data of the loop, and how often each step of the flow has been entered.
 */
export interface RoundState {
  readonly data: JsonObject;
  readonly entered: { readonly [name: string]: number };
}

/** The state of a run's events at its start. */
export interface SubscriptionStart {
  /** The events that started it. */
  readonly events: readonly ReceivedEvent[];
  /** Its correlation value. */
  readonly value: Json | undefined;
}

/** A subscription of a run, or of a subflow in it. */
export interface Subscription {
  /** As in `Host.subscribe`. */
  readonly key: string;
  readonly workflow: AnyWorkflow;
  /** The correlation value at the beginning, if the host has stored it. */
  readonly value?: Json | undefined;
  /** The run or subflow has ended. */
  close(): void;
}

/** A wait of a run. */
export interface WaitRequest {
  readonly subscription: Subscription;
  /** The name of the wait in its workflow. `waitStep` in `rules.ts` converts it to the broker's. */
  readonly wait: string;
  readonly variables: JsonObject;
  /** Correlation values of this wait by name, if it has its own. The run's value applies to others. */
  readonly values?: { readonly [key: string]: Json } | undefined;
}

/** The result of a wait, and the correlation value that the run has afterwards, if events have bound it. */
export type WaitResult = Received & { readonly value?: Json | undefined };
