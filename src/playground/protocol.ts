import type { Json } from "../json.ts";

// The messages between the page and its worker, which contains the compiler. All of it is plain data.

/** A tab of the page: a target, the program of the compiler, or the picture. */
export type View = "asl" | "typescript" | "openwhisk" | "ir" | "picture";

/** The content of the editors. Paths are those that messages show; a scenario file names the definition by its path. */
export interface Documents {
  readonly definition: TextFile;
  /** The scenarios of the definition, if it has any. */
  readonly scenarios?: TextFile | undefined;
}

/** A file. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** What the page requests, by kind. */
export interface Requests {
  /** Checks the definition, also against the limits of the view's target, and produces what the view shows. */
  readonly compile: { readonly definition: TextFile; readonly view: View; readonly workflow?: string | undefined };
  /** Runs all scenarios on the reference, and traces the runs of one of them. */
  readonly scenarios: Documents & { readonly traced?: string | undefined };
  readonly complete: { readonly definition: TextFile; readonly offset: number };
  readonly hover: { readonly definition: TextFile; readonly offset: number };
  /** The page of a diagnostic. */
  readonly explain: { readonly code: string };
}

/** The results, by kind of the request. */
export interface Results {
  readonly compile: Compiled;
  readonly scenarios: ScenarioResults;
  readonly complete: readonly Proposal[];
  readonly hover: HoverText | null;
  readonly explain: string | null;
}

/** The kind of a request. */
export type Kind = keyof Requests;

/** A request to the worker. */
export type Request = { readonly [K in Kind]: { readonly id: number; readonly kind: K } & Requests[K] }[Kind];

/** The response to a request. `superseded`: a newer request of its kind arrived before its turn. */
export type Response =
  | { readonly id: number; readonly status: "done"; readonly result: Results[Kind] }
  | { readonly id: number; readonly status: "superseded" }
  | { readonly id: number; readonly status: "failed"; readonly message: string };

/** A diagnostic, with offsets in UTF-16 units. */
export interface Problem {
  readonly code: string;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
  readonly hint?: string | undefined;
  readonly start: number;
  readonly end: number;
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  /** Present if the fix is safe. */
  readonly fix?: readonly Edit[] | undefined;
}

/** A replacement. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The result of a compilation. */
export interface Compiled {
  readonly problems: readonly Problem[];
  /** The summary of the language, if it is known. */
  readonly language: string | undefined;
  /** Undefined if errors prevent it. */
  readonly output: Output | undefined;
  /** Milliseconds in the worker. */
  readonly took: number;
}

/** What a view shows. */
export type Output =
  | { readonly kind: "files"; readonly files: readonly TextFile[] }
  | {
      readonly kind: "picture";
      readonly workflow: string;
      readonly workflows: readonly string[];
      /** As `renderSvg` returns it: all strings of the definition are escaped. */
      readonly svg: string;
    };

/** The results of the scenarios of a file. */
export interface ScenarioResults {
  readonly problems: readonly Problem[];
  readonly scenarios: readonly ScenarioSummary[];
  readonly trace: Trace | undefined;
}

/** The result of a scenario. */
export interface ScenarioSummary {
  readonly name: string;
  readonly outcome: "passed" | "failed" | "refused" | "unavailable";
  /** The differences from what the scenario expects, and its diagnostics. */
  readonly details: readonly string[];
}

/** The runs of a scenario, its own first. */
export interface Trace {
  readonly scenario: string;
  readonly runs: readonly TracedRun[];
}

/** A run, step by step. */
export interface TracedRun {
  readonly id: string;
  readonly workflow: string;
  readonly status: string;
  /** The output or the error. */
  readonly result: Json | undefined;
  /** Seconds of virtual time. */
  readonly elapsed: number | undefined;
  readonly steps: readonly RunStep[];
  /** The number of later steps, which are not sent. */
  readonly dropped: number;
  /** The picture of each workflow that the run entered. */
  readonly pictures: { readonly [workflow: string]: string };
}

/** One execution of a construct of the definition, such as a state. */
export interface RunStep {
  readonly workflow: string;
  readonly name: string;
  /** The language's noun. */
  readonly noun: string;
  /** The number of branches and iterations around it. */
  readonly depth: number;
  /** The indexes of those, from 0. */
  readonly position: readonly number[];
  /** Seconds of virtual time since the start of the run. */
  readonly began: number;
  readonly ended: number | undefined;
  readonly outcome: "running" | "done" | "failed" | "stopped";
  readonly error: Json | undefined;
  /** The construct in the definition. */
  readonly start: number;
  readonly end: number;
  /** The nodes and edges of the picture that the run has taken with this step, in addition to earlier ones. */
  readonly taken: readonly string[];
  /** The node of the picture. */
  readonly node: string | undefined;
  readonly calls: readonly StepCall[];
  readonly emitted: readonly Json[];
  readonly data: readonly Change[];
}

/** A call of a function. */
export interface StepCall {
  readonly function: string;
  readonly argument: Json;
  /** Undefined until it arrives. */
  readonly response: { readonly value: Json } | { readonly error: string } | undefined;
  readonly began: number;
  readonly ended: number | undefined;
}

/** A variable before and after a step; undefined where it does not exist. */
export interface Change {
  readonly name: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  readonly isChanged: boolean;
}

/** A completion, which replaces a range. */
export interface Proposal {
  readonly label: string;
  readonly kind: string;
  readonly detail: string | undefined;
  /** In Markdown. */
  readonly documentation: string | undefined;
  readonly isRequired: boolean;
  readonly edit: Edit;
}

/** A description in Markdown of what is at a range. */
export interface HoverText {
  readonly start: number;
  readonly end: number;
  readonly markdown: string;
}
