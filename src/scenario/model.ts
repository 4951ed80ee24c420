import type { Expression } from "../expressions/index.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Options } from "../options.ts";
import type { Span } from "../text/source.ts";

/** A scenario file: test cases of a workflow. */
export interface ScenarioFile {
  /** The path of the file itself, as given. */
  readonly path: string;
  /** The path of the definition, relative to the file. */
  readonly workflow: string;
  readonly language: string | undefined;
  /** Where the file names the definition. */
  readonly workflowSpan?: Span | undefined;
  /** The workflow, if the definition's file has several; default: its only one. */
  readonly pick?: string | undefined;
  /** The names to choose the workflow from if the file picks none of several. */
  readonly otherwisePicks?: readonly string[] | undefined;
  /** Definitions that the workflow may start: paths by workflow id. */
  readonly subflows: ReadonlyMap<string, string>;
  readonly scenarios: readonly Scenario[];
}

/** The file, which tests the given definition that it has if it picks none itself. */
export const withPick = (file: ScenarioFile, pick: readonly string[] | undefined): ScenarioFile => ({
  ...file,
  otherwisePicks: pick,
});

/** A test case: the input, the events and results of functions, and the expectation. */
export interface Scenario {
  readonly name: string;
  /** The targets on which it must pass. */
  readonly targets: readonly string[];
  /** The input of the run; undefined if omitted. */
  readonly input: Json | undefined;
  /** When it begins, in milliseconds since 1970. */
  readonly clock: number;
  readonly functions: ReadonlyMap<string, Answers>;
  /** `at` in seconds from `clock`. */
  readonly events: readonly { readonly at: number; readonly event: JsonObject }[];
  /** The timers that fire. The first creates the scenario's own run. */
  readonly fires: readonly Firing[];
  readonly expect: Expectation;
  /** Further runs in addition to the scenario's own, `run`. */
  readonly runs: readonly FurtherRun[];
  readonly options: Options;
  /** The values of placeholders in definitions, by name. */
  readonly placeholders?: ReadonlyMap<string, string> | undefined;
  /** The values of secrets by id and key; null for a secret that does not exist. */
  readonly secrets: ReadonlyMap<string, ReadonlyMap<string, string | null>>;
  /** Other names in the scenario and its file; unknown ones are reported. */
  readonly named: readonly Named[];
  readonly span: Span;
}

/** A firing of a timer of the workflow, `at` seconds from `clock`. */
export interface Firing {
  readonly at: number;
  /** The index of the timer. */
  readonly timer: number;
  readonly span: Span;
}

/** A further run, of the scenario's workflow or of one that a produced event starts. */
export interface FurtherRun {
  readonly id: string;
  /** The type of the produced event that starts it: the n-th such run is that of the n-th entry with the type. */
  readonly startedBy?: string | undefined;
  /** The index of the entry of `fires` that creates it. */
  readonly firing?: number | undefined;
  /** Its input; undefined if omitted. */
  readonly input: Json | undefined;
  /** When it begins, in seconds from `clock`. */
  readonly at: number;
  readonly expect: Expectation;
}

/**
 * A name in a scenario that the workflows should have: of a possibly called function, a secret, or a started workflow.
 */
export type Named =
  | { readonly kind: "function" | "subflow"; readonly name: string; readonly span: Span }
  | { readonly kind: "secret"; readonly id: string; readonly key: string; readonly span: Span };

/** The results of a function's calls; the last one repeats. */
export interface Answers {
  readonly list: readonly Answer[];
  /** The span of the function's name. */
  readonly span: Span;
}

/** The result of a call, or the callback that it waits for, after `takes` seconds. */
export interface Answer {
  readonly takes: number;
  /** When heartbeats of a callback arrive, in seconds from the call. */
  readonly heartbeats?: readonly number[] | undefined;
  /** The span of the heartbeats. */
  readonly heartbeatSpan?: Span | undefined;
  readonly does:
    | { readonly kind: "returns"; readonly value: Json }
    | { readonly kind: "throws"; readonly error: JsonObject }
    /** The call has no result, or its callback does not arrive. */
    | { readonly kind: "never" }
    /** The first output of an expression over the argument. */
    | { readonly kind: "computes"; readonly expression: Expression };
  readonly span: Span;
}

/** The expected outcome of a run; undefined parts are not compared. */
export interface Expectation {
  readonly status: "succeeded" | "failed" | "waiting" | "not-started";
  readonly output: Json | undefined;
  /** Paths that exist in the output. */
  readonly outputHas?: readonly string[] | undefined;
  /** Values in the output, by path. */
  readonly outputIs?: JsonObject | undefined;
  /** The lengths of arrays in the output, by path. */
  readonly items?: ReadonlyMap<string, number> | undefined;
  readonly error: JsonObject | undefined;
  readonly calls: readonly RecordedCall[] | undefined;
  readonly maybe: readonly RecordedCall[];
  readonly ordered: boolean;
  readonly emitted: readonly JsonObject[] | undefined;
  /** Compared where the executor reports steps: on the reference. */
  readonly tasks?: TaskOrder | undefined;
  /** The names of the entered constructs of the definition, compared where the executor reports steps. */
  readonly trace?: readonly string[] | undefined;
  /** Seconds. */
  readonly elapsed: number | undefined;
}

/** The expected order of the constructs of a definition, such as states or tasks, by name. */
export interface TaskOrder {
  /** The one that begins first. */
  readonly first?: string | undefined;
  /** The one that is active last. */
  readonly last?: string | undefined;
  /** Pairs: the first of each begins before the second. */
  readonly order?: readonly (readonly [string, string])[] | undefined;
}

/** A recorded call. */
export interface RecordedCall {
  readonly function: string;
  readonly argument: Json;
}
