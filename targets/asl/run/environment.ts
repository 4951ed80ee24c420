import type { Json, JsonObject } from "../../../src/json.ts";

/** All that an execution needs of the world outside its definition. */
export interface Environment {
  /** Milliseconds since 1970 (UTC). */
  now(): number;
  /** Resolves after so many seconds; rejects with the signal's reason when it is aborted first. */
  sleep(seconds: number, signal: AbortSignal): Promise<void>;
  /** Performs a Task. Resolves with what AWS would give as `$states.result`; rejects with a `StateError`. */
  task(request: TaskRequest): Promise<Json>;
  /** Hears of every state that is entered. */
  visit(state: string): void;
  /** A random number from 0 to 1, for `$random()`. */
  random(): number;
  /** A UUID, for `$uuid()`. */
  uuid(): string;
  /** `$states.context.Execution` but for its input. */
  readonly execution: {
    readonly Id: string;
    readonly Name: string;
    readonly RoleArn: string;
    readonly StartTime: string;
  };
  readonly stateMachine: { readonly Id: string; readonly Name: string };
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

/** All variables that can be read, inner ones first. */
export function visible(variables: Variables): Map<string, Json> {
  const all = variables.outer ? visible(variables.outer) : new Map<string, Json>();
  for (const [name, value] of variables.own) all.set(name, value);
  return all;
}
