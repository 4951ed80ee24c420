import type { ErrorValue } from "./errors.ts";
import type { EmitOptions, Received, ReceiveOptions } from "./events.ts";
import type { Json, JsonObject } from "./json.ts";
import type { AnyWorkflow } from "./workflow.ts";

/**
 * What a workflow does to the world: all of it goes through here, so that a run can be stopped anywhere and go on elsewhere. Each effect has the name of
 * its step; how it came out is recorded under that name, and a run that is resumed is given what is recorded instead of doing it again. Between its
 * effects a workflow has to be deterministic, and each is awaited before the next.
 */
export interface Flow {
  readonly run: { readonly id: string };
  /** Aborted when what is done here does not count any more. */
  readonly signal: AbortSignal;
  /** Calls a function: at least once, and never again once its answer is recorded. */
  step<T extends Json>(name: string, call: (step: Step) => Promise<T> | T, options?: Limits): Promise<T>;
  /** Calls a function and goes on at once; its answer is never looked at. */
  start(name: string, call: (step: Step) => unknown): Promise<void>;
  /** Waits for so many seconds. */
  sleep(name: string, seconds: number): Promise<void>;
  /** Waits until an ISO 8601 instant; not at all if it is past. */
  sleepUntil(name: string, instant: Json): Promise<void>;
  /** Waits for events, as the workflow's wait of this name says. */
  receive(name: string, options?: ReceiveOptions): Promise<Received>;
  /** Emits an event of a definition, with a correlation value if the definition has an attribute for it. */
  emit(name: string, event: string, data: Json, options?: EmitOptions): Promise<void>;
  /** Runs branches side by side; gives the values of those that the join counts, by name, in the order of the branches. */
  fork<B extends Branches>(
    name: string,
    branches: B,
    options: ForkOptions & { readonly join: number },
  ): Promise<Partial<Values<B>>>;
  fork<B extends Branches>(name: string, branches: B, options?: ForkOptions): Promise<Values<B>>;
  /** Runs a body for each item; gives their values in the order of the items. */
  forEach<I extends Json, O extends Json>(
    name: string,
    items: Given<readonly I[]>,
    body: Iteration<I, O>,
    options?: ForEachOptions,
  ): Promise<readonly O[]>;
  /** Runs another workflow, or calls one that is elsewhere by its id, and gives its output. */
  invoke(name: string, workflow: AnyWorkflow | string, input: Given<Json>, options?: InvokeOptions): Promise<Json>;
  /** Starts another workflow and goes on at once. */
  launch(name: string, workflow: AnyWorkflow | string, input: Json): Promise<void>;
  /** Runs several steps as one, for retries and a time-out around them all. */
  attempt<T>(name: string, body: (flow: Flow) => Promise<T>, options?: Limits): Promise<T>;
  /** Begins a round of a loop: gives the data that it begins with. What earlier rounds recorded is forgotten. */
  round<D extends JsonObject>(name: string, data: D): Promise<D> | D;
  /** What was thrown, as a handler of the workflow sees it. What no handler may take is thrown on. */
  failure(thrown: unknown): ErrorValue;
  /** Whether the time is in a window. */
  isWithin(name: string, window: { readonly from?: string; readonly until?: string }): Promise<boolean>;
}

/** What a function gives: its answer, or the promise of it. */
export type Answer<T> = Promise<T> | T;

/** What a function knows of the call besides its argument. */
export interface Step {
  /**
   * The run and the step, in at most 255 characters: the same when the call has to be made again and for all attempts at the step, so that the function
   * can tell; another one when somebody retries the run after the call has failed.
   */
  readonly key: string;
  /** The number of the attempt at the step, from 1 on. */
  readonly attempt: number;
  /** Aborted when the answer does not count any more. It is made when it is asked for by this name: a copy of the other members is without it. */
  readonly signal: AbortSignal;
  /** The seconds that the step allows for one attempt, after which it is cut off; absent: as many as it takes. */
  readonly timeout?: number | undefined;
  /** The process is about to stop: a call that still waits for its turn is not begun, and is made at the next start. A copy of the other members is without it. */
  readonly isStopping?: boolean;
  /** Where it stands among branches and items that run side by side, outermost first: decides between what happens at the same time. */
  readonly position: readonly number[];
}

/** A value, or what computes it: once in each attempt, so that its failure is one that retries are for. */
export type Given<T extends Json> = T | (() => T);

/** What limits the attempts at something. */
export interface Limits {
  /** Seconds that one attempt may take; then it fails with `Timeout`. */
  readonly timeout?: number | undefined;
  readonly retries?: readonly Retry[] | undefined;
}

/** When something has failed the first retry whose condition holds governs; when its retries are used up, the failure stands. */
export interface Retry {
  /** Absent: for every failure. */
  readonly when?: (error: ErrorValue) => boolean;
  /** How often it is done again. */
  readonly limit: number;
  /** The wait in seconds before the n-th retry: `base` · `factor`^(n−1) + (n−1) · `step`, at most `cap`, then jitter. Absent: none. */
  readonly base?: number;
  readonly factor?: number;
  readonly step?: number;
  readonly cap?: number;
  /** A random share of ± so many seconds, or of ± that fraction of the wait. */
  readonly jitter?: { readonly spread: number } | { readonly fraction: number };
}

/** A branch: it sees what it is given, and changes nothing outside. */
export type Branch<O extends Json> = (flow: Flow) => Promise<O>;

/** What is done for an item. */
export type Iteration<I extends Json, O extends Json> = (flow: Flow, item: I, index: number) => Promise<O>;

/** How branches are joined. */
export interface ForkOptions extends Limits {
  /** How many branches have to complete; absent: all. The others are then cut off. */
  readonly join?: number;
  /** A failing branch fails the fork only when the join cannot be reached any more; absent: at once. */
  readonly spare?: true;
  /** How many branches run at once; absent: all. */
  readonly width?: number;
  /** The names in the order in which the branches start; absent: that of the object, in which names like `7` come first. */
  readonly order?: readonly string[];
}

/** Branches by name. */
export interface Branches {
  readonly [name: string]: Branch<Json>;
}

/** What branches give, by name. */
export type Values<B extends Branches> = { readonly [K in keyof B]: B[K] extends Branch<infer O> ? O : never };

/** How items are gone through. */
export interface ForEachOptions extends Limits {
  /** How many run at once; absent: all. */
  readonly width?: number | undefined;
  /** The least number of seconds between the starts of two. */
  readonly gap?: number | undefined;
}

/** How another workflow is run. */
export interface InvokeOptions extends Limits {
  /** When it ends its whole run from within, this run ends too. */
  readonly terminates?: true;
}
