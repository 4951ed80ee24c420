import type { Expression } from "../expressions/index.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Options } from "../options.ts";
import type { Span } from "../text/source.ts";

/** A scenario file: what happens to runs of one workflow, and what must come of it. */
export interface ScenarioFile {
  /** The path of the file itself, as given. */
  readonly path: string;
  /** The path of the definition, relative to the file. */
  readonly workflow: string;
  readonly language: string | undefined;
  /** Definitions that the workflow may start: paths by workflow id. */
  readonly subflows: ReadonlyMap<string, string>;
  readonly scenarios: readonly Scenario[];
}

/** One run: what it is given, what the world answers, and what is expected. */
export interface Scenario {
  readonly name: string;
  /** The targets that it must hold on. */
  readonly targets: readonly string[];
  /** What the run is called with; undefined when nothing was written. */
  readonly input: Json | undefined;
  /** The instant at which it begins, in milliseconds. */
  readonly clock: number;
  readonly functions: ReadonlyMap<string, Answers>;
  /** `at` in seconds from `clock`. */
  readonly events: readonly { readonly at: number; readonly event: JsonObject }[];
  readonly expect: Expectation;
  /** Further runs of the same workflow, beside the scenario's own, which is `run`. */
  readonly runs: readonly FurtherRun[];
  readonly options: Options;
  /** What look-ups of secrets give, by id and key: a text, or null where there is to be no such secret. */
  readonly secrets: ReadonlyMap<string, ReadonlyMap<string, string | null>>;
  /** What the scenario and its file name besides: what no workflow has is told. */
  readonly named: readonly Named[];
  readonly span: Span;
}

/** A further run, of the scenario's workflow or of one that a produced event starts. */
export interface FurtherRun {
  readonly id: string;
  /** The type of the produced event that starts it: the n-th such run is that of the n-th entry with the type. */
  readonly startedBy?: string | undefined;
  /** What it is called with; undefined when nothing was written. */
  readonly input: Json | undefined;
  /** When it begins, in seconds from `clock`. */
  readonly at: number;
  readonly expect: Expectation;
}

/** A name in a scenario that the workflows should have: a function that may be called, a secret that is read, a workflow that is started. */
export type Named =
  | { readonly kind: "function" | "subflow"; readonly name: string; readonly span: Span }
  | { readonly kind: "secret"; readonly id: string; readonly key: string; readonly span: Span };

/** What a function answers to its calls: the last answer repeats. */
export interface Answers {
  readonly list: readonly Answer[];
  /** Where the function is named. */
  readonly span: Span;
}

/** What a function answers to one call, after `takes` seconds. */
export interface Answer {
  readonly takes: number;
  readonly does:
    | { readonly kind: "returns"; readonly value: Json }
    | { readonly kind: "throws"; readonly error: JsonObject }
    /** The first output of an expression over the argument. */
    | { readonly kind: "computes"; readonly expression: Expression };
  readonly span: Span;
}

/** What must come of a run; what is undefined is not looked at. */
export interface Expectation {
  readonly status: "succeeded" | "failed" | "waiting" | "not-started";
  readonly output: Json | undefined;
  readonly error: JsonObject | undefined;
  readonly calls: readonly RecordedCall[] | undefined;
  readonly maybe: readonly RecordedCall[];
  readonly ordered: boolean;
  readonly emitted: readonly JsonObject[] | undefined;
  /** Seconds. */
  readonly elapsed: number | undefined;
}

/** A call as it was made. */
export interface RecordedCall {
  readonly function: string;
  readonly argument: Json;
}
