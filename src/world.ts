import type { Case, Handler, Scope, Step, Workflow } from "./ir/workflow.ts";
import type { Json, JsonObject } from "./json.ts";

/**
 * All that a run can touch, on virtual time: a clock, functions, events. The scenario runner makes one world per run;
 * the reference interpreter and every target's `run` act in it and in nothing else, so that all are held to the same events and answers.
 *
 * Order at one instant: arriving events, then answers of functions, then timers, each by position; a world goes on to the next of these only when
 * nothing that was started by the one before can still go on by itself.
 */
export interface SimulatedEnvironment {
  /** The virtual time, in milliseconds since 1970 (UTC). */
  now(): number;
  /** The id of the run: `run` in scenarios. */
  readonly runId: string;
  /** One object for all runs that meet each other: they share time, functions and events. */
  readonly simulation: object;
  /**
   * Resolves after so many seconds of virtual time; rejects with the signal's reason when that is aborted first. Of timers that ring at one instant the one
   * with the first position does so first, else the one that was set first.
   */
  sleep(seconds: number, signal?: AbortSignal, position?: readonly number[]): Promise<void>;
  /**
   * Calls a function. Resolves with its answer or rejects with a `FunctionFailure`. Calls that start at one instant are counted and
   * recorded in the order of their positions. An aborted call rejects at once; its answer is dropped. What is built in is answered by the world itself,
   * and is no call that is recorded.
   */
  call(name: string, argument: Json, where: CallSite): Promise<Json>;
  /** What a function answers whose text a workflow has: it takes no virtual time, and is no call that is recorded. Throws a `FunctionFailure`. */
  script(workflow: Workflow, name: string, argument: Json): Json;
  /** A random number, from 0 up to 1: 0.5 in scenarios. */
  random(): number;
  /** A text that no other call gives; in scenarios always the same one. */
  id(): string;
  /** The text of a secret, which is recorded nowhere; undefined where there is no such secret. */
  secret(id: string, key: string): string | undefined;
  /** Hears every event from now on; returns how to stop. Arrivals before the first listener are the world's to deliver when the run starts, as the scenario rules say. */
  listen(listener: (event: JsonObject) => void): () => void;
  /** Whether an event is still for whoever uses it: not when another run has used it. */
  isAvailable(event: JsonObject): boolean;
  /** Takes an event for this run, which uses it or drops it: it is free no more. */
  claim(event: JsonObject): void;
  /** Records an event that the run produced. */
  emit(event: JsonObject): void;
  /** To be called once, at the instant the run starts (with the event that completed the start, if events did). `elapsed` counts from here. */
  started(): void;
  /** Notes that a step was entered: the path that a failing scenario shows. Throws a `StepLimit` after too many in a row of which none did anything in the world. */
  visit(step: string): void;
  /**
   * Notes that a subflow is started that nobody waits for. Throws a `StepLimit` after too many in a row without a call, a delay or an event that is used
   * between them: what starts itself so would take all memory before it takes any time.
   */
  launch(): void;
  /** Hears which parts of the IR were executed, from who executes the IR itself, and what a run uses of its platform. Absent: nobody wants to know. */
  readonly recorder?: RunRecorder | undefined;
}

/** Where in a run something happens. */
export interface CallSite {
  /**
   * Indexes of the branches and elements around it, outermost first: orders what happens at one instant. What a subflow does that nobody waits for has an
   * infinite index behind the position of what started it, so that it comes after all that its starter does.
   */
  readonly position: readonly number[];
  readonly signal?: AbortSignal | undefined;
}

/** Compares two positions: below 0 where the first comes first. */
export function comparePositions(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

/** By what a step was left: a case, a handler, or the step itself where it goes on by its plain way (`next`, `otherwise`). */
export type Edge = Case | Handler | Step;

/** Hears which parts of the IR a run reaches, and what of its platform it uses. */
export interface RunRecorder {
  /** A step, or the scope of a branch, of an iteration, of an attempt or of the workflow, has begun. */
  entered(part: Step | Scope): void;
  /** A step has led to another. */
  left(by: Edge): void;
  /** Branches or iterations were still running when the step that runs them was over: what they would do next is no part of the meaning. */
  onAbandoned(): void;
  /** A branch or an iteration has failed, and with it the step that runs them: what others did at that instant they did only since they came first. */
  onJoinFailed(): void;
  /** A run has used something so many times of which the platform counts or bills each, such as a transition of a state machine. */
  uses(what: string, times: number): void;
}

/** So many steps in a row that only compute, and a loop is taken for one that never ends. */
export const maxSteps = 200_000;

/** So many subflows in a row that nobody waits for, and they are taken for ones that start each other without end. */
export const maxLaunches = 2_000;

/** A run has done too much in a row: nothing takes this error. */
export class StepLimit extends Error {
  constructor(what: "steps" | "launches") {
    super(
      what === "steps"
        ? `More than ${maxSteps} steps were taken in a row without a call, a delay, an event or an end.`
        : `More than ${maxLaunches} subflows that nobody waits for were started in a row without a call, a delay or an event.`,
    );
    this.name = "LimitError";
  }
}

/** What a function threw. */
export class FunctionFailure extends Error {
  /** Whatever else the error carries. */
  readonly data: Json | undefined;

  constructor(name: string, message: string, data?: Json) {
    super(message);
    this.name = name;
    this.data = data;
  }
}
