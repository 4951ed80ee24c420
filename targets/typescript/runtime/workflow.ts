import type { ErrorNames } from "./errors.ts";
import type { Alternative, EventDefinition, Wait } from "./events.ts";
import type { Flow } from "./flow.ts";
import type { Json } from "./json.ts";

/** A workflow: how runs start, its events and waits, and the function that a run executes. */
export interface Workflow<Functions = never, Input extends Json = never> {
  /** Unique in the program. */
  readonly id: string;
  /** Changes with the definition. A run keeps the version that it started with. */
  readonly version: string;
  readonly name: string;
  /** Accepts any input; otherwise only objects. */
  readonly anyInput?: true;
  /** Where the input of a called run does not fit its schema; null if it does. */
  readonly inputViolation?: (input: Json) => string | null;
  readonly start?: Start;
  /** The language's names for errors without a name of their own. */
  readonly errors?: ErrorNames;
  /** How errors become problem details; by default, they stay as they are. */
  readonly problems?: Problems;
  /** The function that reads secrets. Its results are never stored. */
  readonly secrets?: string;
  readonly events?: { readonly [name: string]: EventDefinition };
  /** The waits by the names that `flow.receive` is called with. */
  readonly waits?: { readonly [name: string]: Wait };
  /**
   * The correlation value of a run at its start, unless a starting event has one. It may read less of the input than
   * `run`.
   */
  readonly correlation?: (input: NoInfer<Input>, run: { readonly id: string }) => Json | undefined;
  readonly run: (flow: Flow, functions: Functions, input: Input) => Promise<Json>;
}

/** A workflow with any functions and input. */
export type AnyWorkflow = Workflow<never, never>;

/** How errors become problem details (RFC 9457), whose `instance` is the pointer of the step that raised them. */
export interface Problems {
  /** The error with problem details. */
  of(error: Json, pointer: Json, rules: Json): Json;
  readonly rules: ProblemRules;
}

/** The standard errors of a language. */
type ProblemRules = {
  /** Precedes the name of a standard error in `type`. */
  readonly prefix: string;
  readonly errors: { readonly [name: string]: { readonly status: number; readonly title: string } };
  /** The standard errors that others are, by origin. */
  readonly origins: { readonly [origin: string]: string };
};

/** How events start runs. Any workflow can also be called. */
export interface Start {
  /** Any event of an alternative starts a run; with `complete`, all events of one alternative together. */
  readonly on?: readonly Alternative[];
  readonly complete?: true;
  /** With `complete`: the maximum seconds between two arrivals; then the collected events are discarded. */
  readonly gap?: number;
  readonly window?: Window;
  /** Each creates runs with the input `{}`, while the program serves. */
  readonly timers?: readonly Timer[];
}

/**
 * A timer: each `every` seconds, after the program began to serve or from an instant on, until an instant or for a number
 * of times; at the instants of a cron expression; or `after` seconds since the end of the run before.
 */
export type Timer =
  | { readonly every: number; readonly from?: string; readonly until?: string; readonly times?: number }
  | { readonly cron: string; readonly timezone?: string; readonly until?: string }
  | { readonly after: number };

/** A period of ISO 8601 instants: `from` inclusive, `until` exclusive. */
export interface Window {
  readonly from?: string;
  readonly until?: string;
}

/** Whether an instant (milliseconds since 1970) is in a window. */
export const isActive = ({ from, until }: Window, now: number): boolean =>
  !(from !== undefined && now < Date.parse(from)) && !(until !== undefined && now >= Date.parse(until));

const own: unique symbol = Symbol("own");

/** The functions of single workflows, by workflow id. */
type OwnFunctions = { readonly [workflow: string]: object };

/** The functions of a program, some of whose workflows have their own. */
export const withOwn = <Functions extends object>(functions: Functions, others: OwnFunctions): Functions =>
  Object.defineProperty(functions, own, { value: new Map(Object.entries(others)) });

/** The functions of a workflow. The program's may be a proxy with a function for every name. */
export const functionsOf = (functions: unknown, { id }: AnyWorkflow): unknown => functionsIn(functions, id);

/** The own functions of a workflow, or the common ones. */
export const functionsIn = (functions: unknown, workflow: string | undefined): object =>
  (workflow === undefined ? undefined : ownFunctions(functions).get(workflow)) ?? Object(functions);

/** The functions of workflows that have their own, by workflow id. */
export function ownFunctions(functions: unknown): ReadonlyMap<string, object> {
  const others: unknown = Object(functions)[own];
  return others instanceof Map ? others : new Map();
}

/** Infers the types of a workflow. */
export const defineWorkflow = <Functions, Input extends Json>(
  workflow: Workflow<Functions, Input>,
): Workflow<Functions, Input> => workflow;
