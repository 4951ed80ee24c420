import { nextTick } from "node:process";
import type { Expression } from "jsonata";
import { comparePositions } from "../../../src/environment/environment.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import { createPriorityQueue } from "../../../src/priority-queue.ts";
import type { Siblings } from "./nesting.ts";

/** What an execution needs from outside its definition. */
export interface ExecutionEnvironment {
  /** Milliseconds since 1970 (UTC). */
  now(): number;
  /** Resolves after some seconds, or rejects when the signal is aborted. `state` is the Wait state, if any. */
  sleep(seconds: number, signal: AbortSignal, position: readonly number[], state?: string): Promise<void>;
  /** Called when a branch or iteration at a position has ended. */
  onBranchEnd?(position: readonly number[]): void;
  /** Performs a Task. Resolves to `$states.result`; rejects with a `StateError`. */
  task(request: TaskRequest): Promise<Json>;
  /** Answers a query of the join table synchronously; undefined for other Tasks. Throws a `StateError`. */
  query?(request: Pick<TaskRequest, "state" | "resource" | "arguments">): Json | undefined;
  readonly scheduler: Scheduler;
  /** Called for every state that is entered. */
  visit(state: string): void;
  /** Reports a limit of AWS that the execution reaches, in a sentence. */
  onLimit?(limit: string): void;
  /** Counts what AWS counts: billed transitions and history events. */
  count(what: "transitions" | "events of history", times: number): void;
  sideEffects(): number;
  /** Ends a run that loops without side effects. */
  stopEndlessLoop(state: string): never;
  /** Cache of compiled expressions, by text; default: one for each execution. */
  readonly compiled?: Map<string, CompiledExpression>;
  /** A random number from 0 to 1, for `$random()`. */
  random(): number;
  /** A UUID, for `$uuid()`. */
  uuid(): string;
  /** A unique string. */
  token(): string;
  /** The token of one attempt of a Task that waits for a callback. */
  taskToken(request: Pick<TaskRequest, "state" | "position" | "signal">): string | Promise<string>;
  /** `$states.context.Execution` without its input. */
  readonly execution: {
    readonly Id: string;
    readonly Name: string;
    readonly RoleArn: string;
    readonly StartTime: string;
  };
  readonly stateMachine: { readonly Id: string; readonly Name: string };
}

/** A compiled expression. */
export interface CompiledExpression {
  readonly expression: Expression;
  readonly names: readonly string[];
  readonly siblings: Siblings;
}

/** One attempt of a Task. */
export interface TaskRequest {
  readonly state: string;
  readonly resource: string;
  readonly arguments: Json;
  /** Indexes of the enclosing branches and iterations, outermost first. */
  readonly position: readonly number[];
  readonly signal: AbortSignal;
  /** Set if the Task waits for a callback. */
  readonly hasToken?: boolean | undefined;
  /** A heartbeat of the callback has arrived. */
  readonly onHeartbeat?: (() => void) | undefined;
}

/** An error of a state: a name to match and a cause. */
export class StateError extends Error {
  readonly error: string | undefined;
  override readonly cause: string | undefined;
  /** The innermost state that failed with it. */
  state: string | undefined;
  /** Whether a heartbeat is missing, which is reported as a timeout. */
  readonly missesHeartbeat: boolean;

  constructor(error: string | undefined, cause: string | undefined, { missesHeartbeat = false } = {}) {
    super(cause ?? error ?? "");
    this.missesHeartbeat = missesHeartbeat;
    this.error = error;
    this.cause = cause;
  }
}

/** The execution has reached its limit: its status is `TIMED_OUT`. */
export class ExecutionTimeout extends StateError {
  constructor() {
    super("States.Timeout", undefined);
  }
}

/** Thrown for definitions that this interpreter does not support: a bug of its caller, not an error of the workflow. */
export class UnsupportedDefinition extends Error {}

/** `States` and `StartAt` of a machine, branch or item processor. */
export interface MachineDefinition {
  readonly StartAt: string;
  readonly States: { readonly [name: string]: JsonObject };
  /** The limit of an execution; only of machines. */
  readonly TimeoutSeconds?: number;
}

/** The variables of a `States` object. Reads fall back to outer scopes; writes do not. */
export interface VariableScope {
  readonly own: Map<string, Json>;
  readonly outer: VariableScope | undefined;
}

/** The value of a variable in the innermost scope that has it; undefined if none does. */
export function variableIn({ own, outer }: VariableScope, name: string): Json | undefined {
  return own.has(name) ? own.get(name) : outer && variableIn(outer, name);
}

/**
 * Schedules the activities of a run and its executions deterministically: one at a time, each until it waits, lowest
 * position first.
 */
export interface Scheduler {
  run<T>(position: readonly number[], work: () => Promise<T>): Promise<T>;
  wait<T>(position: readonly number[], promise: Promise<T>): Promise<T>;
}

interface ReadyActivity {
  readonly position: readonly number[];
  readonly order: number;
  readonly go: () => void;
}

/** Creates an idle scheduler. The next activity starts after all reactions to the last one have run. */
export function createScheduler(): Scheduler {
  const ready = createPriorityQueue<ReadyActivity>(
    (a, b) => (comparePositions(a.position, b.position) || a.order - b.order) < 0,
  );
  let order = 0;
  let isTaken = false;
  let isPlanned = false;
  const give = (): void => {
    isPlanned = false;
    const next = isTaken ? undefined : ready.pop();
    if (!next) return;
    isTaken = true;
    next.go();
  };
  const plan = (): void => {
    if (!isPlanned) nextTick(give);
    isPlanned = true;
  };
  const turn = (position: readonly number[]): Promise<void> =>
    new Promise((go) => {
      ready.push({ position, order: order++, go });
      plan();
    });
  const leave = (): void => {
    isTaken = false;
    plan();
  };
  return {
    async run(position, work) {
      await turn(position);
      return work().finally(leave);
    },
    wait(position, promise) {
      leave();
      return promise.finally(() => turn(position));
    },
  };
}
