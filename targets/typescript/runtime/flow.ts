import type { ErrorValue, Problem } from "./errors.ts";
import type { EmitOptions, Received, ReceiveOptions } from "./events.ts";
import type { Json, JsonObject } from "./json.ts";
import type { AnyWorkflow } from "./workflow.ts";

/**
 * The effects of a workflow. A run has no others, so it can stop anywhere and be resumed elsewhere. Each effect has the
 * name of its step, under which its result is recorded; a resumed run receives the recorded result. Between effects a
 * workflow must be deterministic, and it awaits each effect before the next.
 */
export interface Flow {
  readonly run: { readonly id: string };
  /** Aborted when the results of this flow no longer count. */
  readonly signal: AbortSignal;
  /** Calls a function at least once, and never again once its result is recorded. */
  step<T extends Json>(name: string, call: (step: Step) => Promise<T> | T, options?: Limits): Promise<T>;
  /**
   * Calls a function that has no effect and always returns the same. Its result is not recorded, except an exception or
   * an `error`: their messages depend on the version of the JavaScript engine.
   */
  compute<T extends Json>(name: string, call: () => T): Promise<T> | T;
  /**
   * Calls a function that passes a token on, and waits until its holder reports the result by it: `POST
   * /tasks/{token}/success` or `failure`. The token is recorded before the call. The function's own result is ignored.
   */
  callback(name: string, call: (step: TaskStep) => unknown, options?: CallbackOptions): Promise<Json>;
  /**
   * Offers work to the workers of an activity, and waits for the result: one takes it with `POST /activities/{name}`, and
   * reports by its token. The limits count from when it was taken.
   */
  activity(name: string, activity: string, input: (token: string) => Json, options?: CallbackOptions): Promise<Json>;
  /** Calls a function without waiting for its result. */
  start(name: string, call: (step: Step) => unknown): Promise<void>;
  /** Waits a number of seconds. */
  sleep(name: string, seconds: number): Promise<void>;
  /** Waits until an ISO 8601 instant; not at all if it is in the past. */
  sleepUntil(name: string, instant: Json): Promise<void>;
  /** Waits for events, as the workflow's wait of this name says. */
  receive(name: string, options?: ReceiveOptions): Promise<Received>;
  /** Emits an event of a definition, with a correlation value if the definition has an attribute for it. */
  emit(name: string, event: string, data: Json, options?: EmitOptions): Promise<void>;
  /** Runs branches concurrently. Returns the values of the joined branches by name, in the order of the branches. */
  fork<B extends Branches>(
    name: string,
    branches: B,
    options: ForkOptions & { readonly join: number },
  ): Promise<Partial<Values<B>>>;
  fork<B extends Branches>(name: string, branches: B, options?: ForkOptions): Promise<Values<B>>;
  /** Runs a body for each item. Returns the values in the order of the items. */
  forEach<I extends Json, O extends Json>(
    name: string,
    items: Given<readonly I[]>,
    body: Iteration<I, O>,
    options?: ForEachOptions,
  ): Promise<readonly O[]>;
  /** Runs another workflow and returns its output. One outside the program is called by its id. */
  invoke(name: string, workflow: AnyWorkflow | string, input: Given<Json>, options?: InvokeOptions): Promise<Json>;
  /** Starts another workflow without waiting for it. */
  launch(name: string, workflow: AnyWorkflow | string, input: Given<Json>, options?: LaunchOptions): Promise<void>;
  /** Runs several steps with common retries and a common timeout. */
  attempt<T>(name: string, body: (flow: Flow) => Promise<T>, options?: Limits): Promise<T>;
  /** Begins a round of a loop. Returns its data, and deletes what earlier rounds recorded. */
  round<D extends JsonObject>(name: string, data: D): Promise<D> | D;
  /** Converts a thrown value to what handlers see. Rethrows what no handler may catch. */
  failure(thrown: unknown): ErrorValue;
  /** Sets the pointer of the present step, the `instance` in the problem details of what fails from here on. */
  at(pointer: string): void;
  /** The same as `failure`, with the problem details of the error as its data. */
  problem(thrown: unknown): Problem;
  /** An error that the present step raises, with these problem details. */
  error(details: JsonObject & { readonly type: string }): Error;
  /** The time in milliseconds since 1970 (UTC), recorded. */
  now(name: string): Promise<number>;
  /** Whether the time is in a window. */
  isWithin(name: string, window: { readonly from?: string; readonly until?: string }): Promise<boolean>;
}

/** How a workflow starts that nothing waits for. */
export interface LaunchOptions extends Limits {
  /** It is a part of this run, and stops when the workflow that started it ends; by default, it is a run of its own. */
  readonly attached?: true;
}

/** The result of a function. */
export type Answer<T> = Promise<T> | T;

/** What a function receives in addition to its argument. */
export interface Step {
  /**
   * Identifies the run and the step, in at most 255 characters: the same for all attempts and repetitions of the call.
   * It differs after a failed run is retried.
   */
  readonly key: string;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** Aborted when the result no longer counts. Copies of the other members do not contain it. */
  readonly signal: AbortSignal;
  /** The seconds after which this attempt times out; undefined if it has no timeout. */
  readonly timeout?: number | undefined;
  /**
   * The process is about to stop: a queued call should not begin; the next process makes it. Copies do not contain it.
   */
  readonly isStopping?: boolean;
  /** The indexes of the enclosing branches and iterations, outermost first: orders what happens at one instant. */
  readonly position: readonly number[];
  /** The trace context of the run, as the value of the header `traceparent`, for functions that call others. */
  readonly trace?: string | undefined;
}

/** What a function receives whose step waits until the holder of a token reports the result. */
export interface TaskStep extends Step {
  /** The token of the task: its holder may report. Each attempt has another one. */
  readonly token: string;
}

/** A value, or a function that computes it in each attempt, so that its failure can be retried. */
export type Given<T extends Json> = T | (() => T);

/** Limits of attempts. */
export interface Limits {
  /** The seconds of one attempt, after which it fails with `Timeout`. */
  readonly timeout?: number | undefined;
  readonly retries?: readonly Retry[] | undefined;
}

/** Limits of a step whose result is reported by a token. */
export interface CallbackOptions extends Limits {
  /**
   * The seconds until the first heartbeat and between two of them, after which an attempt fails with `Timeout` of origin
   * `heartbeat`.
   */
  readonly heartbeat?: number | undefined;
  /** What the function returns is the result if that is there before any other: the first one counts. */
  readonly orResult?: boolean | undefined;
}

/** A retry. The first one whose condition holds applies to a failure; when it is used up, the failure is final. */
export interface Retry {
  /** By default, every failure. */
  when?(error: ErrorValue): boolean;
  /** The maximum number of retries; by default, unlimited. */
  readonly limit?: number;
  /** No retry begins later than this many seconds after the first attempt. */
  readonly within?: number;
  /**
   * The delay in seconds before the n-th retry is `base` · `factor`^(n−1) + (n−1) · `step`, at most `cap`, then jitter;
   * by default, 0.
   */
  readonly base?: number;
  readonly factor?: number;
  readonly step?: number;
  readonly cap?: number;
  /** Adds ± so many seconds, ± a fraction of the delay or seconds in a range, at random; or waits a part of the delay. */
  readonly jitter?: Jitter;
}

/** The random part of a delay. */
export type Jitter =
  | { readonly full: true }
  | { readonly spread: number }
  | { readonly fraction: number }
  | { readonly from: number; readonly to: number };

/** A branch. It changes nothing outside. */
export type Branch<O extends Json> = (flow: Flow) => Promise<O>;

/** The body of an iteration. */
export type Iteration<I extends Json, O extends Json> = (flow: Flow, item: I, index: number) => Promise<O>;

/** How branches run and join. */
export interface ForkOptions extends Limits {
  /** The number of branches that must complete, by default all. The others are canceled then. */
  readonly join?: number;
  /** A failing branch fails the fork only if the join is no longer possible; by default, at once. */
  readonly spare?: true;
  /** The maximum number of concurrent branches; by default, all. */
  readonly width?: number;
  /** The order in which branches start; by default that of the object, where integer keys come first. */
  readonly order?: readonly string[];
}

/** Branches by name. */
export interface Branches {
  readonly [name: string]: Branch<Json>;
}

/** The values of branches by name. */
export type Values<B extends Branches> = { readonly [K in keyof B]: B[K] extends Branch<infer O> ? O : never };

/** How iterations run. */
export interface ForEachOptions extends Limits {
  /** The maximum number of concurrent iterations; by default, all. */
  readonly width?: number | undefined;
  /** The minimum seconds between two starts. */
  readonly gap?: number | undefined;
  /** The result omits failed iterations, unless more fail than this: then the loop fails with the error. */
  readonly tolerates?: Tolerance | undefined;
}

/** How many iterations may fail; by default, none. */
export interface Tolerance {
  readonly count?: number | undefined;
  /** Of all items. */
  readonly percentage?: number | undefined;
  /** The member of each item with the array of what it stands for, each of which counts; by default, items count. */
  readonly counted?: string | undefined;
  readonly error: { readonly name: string; readonly message: string };
}

/** How another workflow runs. */
export interface InvokeOptions extends Limits {
  /** If it ends its whole run, this run ends too. */
  readonly terminates?: true;
}
