import type { ErrorNames } from "./errors.ts";
import type { Alternative, EventDefinition } from "./events.ts";
import type { Flow } from "./flow.ts";
import type { Json } from "./json.ts";

/** A workflow: what starts it, which events it knows, and what a run of it does with functions and an input. */
export interface Workflow<Functions = never, Input extends Json = never> {
  /** Unique in the program: runs are started, and subflows named, by it. */
  readonly id: string;
  /** Changes when the definition does: a run stays with the version that it began with. */
  readonly version: string;
  readonly name: string;
  /** Runs take any input; absent: only objects. */
  readonly anyInput?: true;
  readonly start?: Start;
  /** The language's names for errors that nothing has named. */
  readonly errors?: ErrorNames;
  /** The function that looks secrets up: what it gives is kept nowhere. */
  readonly secrets?: string;
  readonly events?: { readonly [name: string]: EventDefinition };
  /** The correlation value of a run that no event gives one. It may see less in the input than the run does. */
  readonly correlation?: (input: NoInfer<Input>, run: { readonly id: string }) => Json | undefined;
  readonly run: (flow: Flow, functions: Functions, input: Input) => Promise<Json>;
}

/** Any workflow, whatever its functions and its input are. */
export type AnyWorkflow = Workflow<never, never>;

/** How runs come to be besides being called. */
export interface Start {
  /** Events that start a run: one of any alternative, or with `complete` all events of one. */
  readonly on?: readonly Alternative[];
  readonly complete?: true;
  /** With `complete`, the longest time between two arrivals, in seconds: then what has come is thrown away. */
  readonly gap?: number;
  readonly window?: Window;
}

/** A stretch of time between ISO 8601 instants: `from` belongs to it, `until` does not; open where absent. */
export interface Window {
  readonly from?: string;
  readonly until?: string;
}

const own: unique symbol = Symbol("own");

/** Functions that some workflows have for themselves, by the ids of these. */
type Own = { readonly [workflow: string]: object };

/** The functions of a program in which some workflows have all theirs for themselves. */
export const withOwn = <Functions extends object>(functions: Functions, apart: Own): Functions =>
  Object.defineProperty(functions, own, { value: new Map(Object.entries(apart)) });

/** The functions of a workflow, of those of its program; these may be an object that has an answer for every name. */
export function functionsOf(functions: unknown, { id }: AnyWorkflow): unknown {
  const apart: unknown = Object(functions)[own];
  return (apart instanceof Map ? (apart as ReadonlyMap<string, object>).get(id) : undefined) ?? functions;
}

/** Gives a workflow its types. */
export const defineWorkflow = <Functions, Input extends Json>(
  workflow: Workflow<Functions, Input>,
): Workflow<Functions, Input> => workflow;
