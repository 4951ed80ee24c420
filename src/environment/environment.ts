import type { ChooseCase, ErrorValue, Handler, Scope, Step, Workflow } from "../ir/workflow.ts";
import type { Json, JsonObject } from "../json.ts";

/**
 * Everything outside a run, on virtual time: a clock, functions, events. The scenario runner creates one environment per run. The reference interpreter and
 * the targets' simulators touch nothing else, so they all observe the same events and the same results.
 *
 * It also counts the limits of a run (`errors.ts`). A run that exceeds one, itself or in a detached subflow, fails with it at that instant: nothing that it
 * does afterwards has an effect.
 *
 * At one instant, arriving events come first, then results of functions, then timers, each in the order of positions. The next one is delivered only when
 * nothing that the previous one resumed can continue.
 */
export interface SimulatedEnvironment {
  /** The virtual time, in milliseconds since 1970 (UTC). */
  now(): number;
  /** The id of the run; `run` in scenarios. */
  readonly runId: string;
  /** The same object for all runs that share time, functions and events. */
  readonly simulation: object;
  /**
   * Resolves after a number of seconds of virtual time; rejects with the signal's reason if that is aborted first. Timers that expire at one instant do so in
   * the order of their positions, then in the order in which they were set.
   */
  sleep(seconds: number, signal?: AbortSignal, position?: readonly number[]): Promise<void>;
  /**
   * Calls a function; rejects with a `FunctionFailure`. Calls that start at one instant are recorded in the order of their positions. An aborted call rejects
   * at once and its result is dropped. Built-in functions are evaluated by the environment and not recorded as calls.
   */
  call(name: string, argument: Json, where: CallSite): Promise<Json>;
  /**
   * Makes the token of one attempt of a call with a callback: `token:<function>:<n>` in scenarios, counted over the run. Tokens that are requested at one
   * instant are made in the order of their positions.
   */
  token(name: string, where: CallSite): Promise<string>;
  /** Runs an inline script of a workflow, in no virtual time and without recording a call. Throws a `FunctionFailure`. */
  script(workflow: Workflow, name: string, argument: Json): Json;
  /** A random number in [0, 1); 0.5 in scenarios. */
  random(): number;
  /** A unique string; the same sequence in every scenario run. */
  id(): string;
  /** The value of a secret, which is never recorded; undefined if there is no such secret. */
  secret(id: string, key: string): string | undefined;
  /** Subscribes to all events from now on; returns the function that unsubscribes. */
  listen(listener: (event: JsonObject) => void): () => void;
  /** Whether events may start a run in this environment now. */
  mayStart(): boolean;
  /** Notes that the run used an event: `maxSteps` and `maxLaunches` count from here. */
  received(): void;
  /** Records an event that the run produced, and delivers it to all listeners when the current activity waits. */
  emit(event: JsonObject): void;
  /** Must be called once, at the instant when the run starts. `elapsed` is measured from then. */
  started(): void;
  /** Notes that a step was entered, for the trace of a failing scenario. Throws a `StepLimit` after `maxSteps` steps without an external effect. */
  visit(step: string): void;
  /**
   * Notes the start of a subflow that its starter waits for: the `depth`-th of those that wait for each other. Throws a `StepLimit` beyond `maxDepth`, or if
   * the input is too large.
   */
  subflow(depth: number, input: Json): void;
  /** Notes the start of a detached subflow. Throws a `StepLimit` after `maxLaunches` starts without an external effect. */
  launch(): void;
  /** Receives coverage and usage; if omitted, they are not collected. */
  readonly recorder?: RunRecorder | undefined;
}

/** Where in a run a call happens. */
export interface CallSite {
  /**
   * Indexes of the enclosing branches and iterations, outermost first: orders what happens at one instant. Below a detached subflow, its starter's position
   * is followed by infinity, so that its effects come after all of the starter's.
   */
  readonly position: readonly number[];
  readonly signal?: AbortSignal | undefined;
  /** For a call with a callback: a heartbeat has arrived. The call then resolves or rejects by the callback. */
  readonly onHeartbeat?: (() => void) | undefined;
}

/** Compares two positions lexicographically; negative if the first comes first. */
export function comparePositions(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

/** An edge of the control-flow graph: a case, a handler, or the step itself for its default successor (`next`, `otherwise`). */
export type Edge = ChooseCase | Handler | Step;

/** Observes which parts of the IR a run executes, and which billed units of its platform it uses. */
export interface RunRecorder {
  /** A step began, or the scope of a workflow, a branch, an iteration or an attempt. */
  entered(part: Step | Scope): void;
  /** A step transferred control along an edge. */
  left(by: Edge): void;
  /** A fork or loop ended while some of its branches or iterations still ran. What those do next is not part of the semantics. */
  onAbandoned(): void;
  /** A branch or an iteration failed, and its fork or loop with it. The order of other effects at that instant is not part of the semantics. */
  onJoinFailed(): void;
  /** The run reached a limit of its platform, described in a sentence. */
  onLimit(limit: string): void;
  /** The run used `times` units that the platform counts or bills, such as state transitions. */
  uses(what: string, times: number): void;
  /** A step began on the reference; the returned function receives its end. If omitted, steps are not traced. */
  readonly begins?: ((start: StepStart) => (end: StepEnd) => void) | undefined;
}

/** The beginning of a step's execution. `variables` changes with the run: copy what is kept. */
export interface StepStart {
  readonly step: Step;
  readonly workflow: Workflow;
  /** Indexes of the enclosing branches and iterations, outermost first. */
  readonly position: readonly number[];
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The variables of the step's own scope. */
  readonly variables: ReadonlyMap<string, Json>;
}

/** The end of a step's execution. */
export interface StepEnd extends Pick<StepStart, "at" | "variables"> {
  /** `stopped`: cut off by a join, a timeout, or the failure of another branch. */
  readonly outcome: "done" | "failed" | "stopped";
  readonly error?: ErrorValue | undefined;
  /** The edge by which control left the step; undefined if its scope ended. */
  readonly left?: Edge | undefined;
}
