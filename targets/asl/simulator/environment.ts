import { nextTick } from "node:process";
import type { Expression } from "jsonata";
import type { Json, JsonObject } from "../../../src/json.ts";
import { createPriorityQueue } from "../../../src/priority-queue.ts";
import { comparePositions } from "../../../src/world.ts";
import type { Siblings } from "./depth.ts";

/** All that an execution needs of the world outside its definition. */
export interface Environment {
  /** Milliseconds since 1970 (UTC). */
  now(): number;
  /** Resolves after so many seconds; rejects with the signal's reason when it is aborted first. `state`: the Wait state that takes them. */
  sleep(seconds: number, signal: AbortSignal, position: readonly number[], state?: string): Promise<void>;
  /** Performs a Task. Resolves with what AWS would give as `$states.result`; rejects with a `StateError`. */
  task(request: TaskRequest): Promise<Json>;
  /** What a Task gets at once that asks the table in which branches are counted; undefined where it asks something else. Throws a `StateError`. */
  asked?(request: Pick<TaskRequest, "state" | "resource" | "arguments">): Json | undefined;
  /** Which of what can go on does so. */
  readonly turns: Turns;
  /** Hears of every state that is entered. */
  visit(state: string): void;
  /** Hears of what AWS counts: it bills transitions, and an execution may have so many events of history. */
  uses(what: "transitions" | "events of history", times: number): void;
  /** How often a run has done something in the world: waited, or begun a Task. */
  acts(): number;
  /** Ends a run that goes round for ever without doing anything. */
  spin(state: string): never;
  /** The expressions that were read before, by their texts: those of all executions of a run. Absent: each execution reads its own. */
  readonly compiled?: Map<string, Compiled>;
  /** A random number from 0 to 1, for `$random()`. */
  random(): number;
  /** A UUID, for `$uuid()`. */
  uuid(): string;
  /** A token for a Task that waits to be told: no other has it. */
  token(): string;
  /** `$states.context.Execution` but for its input. */
  readonly execution: {
    readonly Id: string;
    readonly Name: string;
    readonly RoleArn: string;
    readonly StartTime: string;
  };
  readonly stateMachine: { readonly Id: string; readonly Name: string };
}

/** An expression that was read. */
export interface Compiled {
  readonly expression: Expression;
  /** The names in it that may be those of variables. */
  readonly names: readonly string[];
  readonly siblings: Siblings;
}

/** One attempt of a Task state. */
export interface TaskRequest {
  readonly state: string;
  readonly resource: string;
  readonly arguments: Json;
  /** Indexes of the branches and iterations around the state, outermost first. */
  readonly position: readonly number[];
  readonly signal: AbortSignal;
}

/** An error as Step Functions knows it: a name to catch by, and a text. */
export class StateError extends Error {
  /** The error's name, such as `States.Timeout`; absent when a Fail state gives none. */
  readonly error: string | undefined;
  override readonly cause: string | undefined;

  constructor(error: string | undefined, cause: string | undefined) {
    super(cause ?? error ?? "");
    this.error = error;
    this.cause = cause;
  }
}

/** A definition that asks for what this interpreter does not execute: a bug of its caller, not of the workflow. */
export class Unsupported extends Error {}

/** `States` and `StartAt` of a machine, a branch or an item processor. */
export interface Machine {
  readonly StartAt: string;
  readonly States: { readonly [name: string]: JsonObject };
}

/** Variables of one `States` object and of those around it: reads go outward, writes stay. */
export interface Variables {
  readonly own: Map<string, Json>;
  readonly outer: Variables | undefined;
}

/** The value of a variable, of the inner one of two; undefined where there is none. */
export function variableIn({ own, outer }: Variables, name: string): Json | undefined {
  return own.has(name) ? own.get(name) : outer && variableIn(outer, name);
}

/**
 * What goes on in a run and the executions that it starts. Of several activities that can go on at one instant one goes on until it waits, before the
 * next does: that with the first position.
 */
export interface Turns {
  /** Does what an activity does from its first turn to its end. */
  activity<T>(position: readonly number[], work: () => Promise<T>): Promise<T>;
  /** Waits within an activity, while others have their turns. */
  waiting<T>(position: readonly number[], promise: Promise<T>): Promise<T>;
}

/** Something that can go on. */
interface Ready {
  readonly position: readonly number[];
  readonly order: number;
  readonly go: () => void;
}

/** Turns that nobody has yet. A turn is given when all that the last one settled has been heard of. */
export function createTurns(): Turns {
  const ready = createPriorityQueue<Ready>(
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
    async activity(position, work) {
      await turn(position);
      return work().finally(leave);
    },
    waiting(position, promise) {
      leave();
      return promise.finally(() => turn(position));
    },
  };
}
