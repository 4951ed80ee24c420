import type { Expression } from "../expressions/index.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Span } from "../text/source.ts";
import type { Type } from "../types/index.ts";
import type { EventDefinition, FunctionDefinition, Start, Window } from "./definitions.ts";
import type { ErrorNames, Handler, Retry } from "./recovery.ts";

export type { EventDefinition, FunctionDefinition, Start, Window } from "./definitions.ts";
export type { Backoff, CallErrorNames, ErrorNames, ErrorValue, Handler, Retry } from "./recovery.ts";

/**
 * The intermediate representation. A workflow is a tree of scopes; a scope is a graph of steps over named variables;
 * a step does one thing. Five languages disagree on what a state does, so the IR has none of their states: front ends
 * lower to it, targets lower further to what they have, and `src/reference` defines by running it what it means.
 *
 * Every node is readonly plain data told apart by `kind`, and has the span of the construct that it comes from.
 */
export interface Workflow {
  readonly kind: "workflow";
  /** Unique in the program; subflows name it, output files are named after it. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description?: string | undefined;
  /** The source language, as `--from` names it. */
  readonly language: string;
  readonly start: Start;
  /** The variable of `body` that holds the run's input when it starts, and travels as "the document" on targets that have one. */
  readonly input: string;
  /** Its runs take any input; absent: only objects, and nothing is executed where a run is called with something else. */
  readonly anyInput?: true | undefined;
  readonly body: Scope;
  readonly functions: readonly FunctionDefinition[];
  readonly events: readonly EventDefinition[];
  /** The names that the language has for errors which nothing has named: conditions of retries and handlers, and whoever hears how a run ended, see these. */
  readonly errorNames?: ErrorNames | undefined;
  /**
   * The run's correlation value where no event has set it, over the run's input and `$run` (`{ id }`); null: none, the first event
   * with a token sets it. Set once, when the run starts; the first correlated event that starts or reaches a run without one sets it.
   */
  readonly correlation?: Expression | undefined;
  /** JSON Schemas of input and output, as URIs: documentation and types, enforced on no target. */
  readonly inputSchema?: string | undefined;
  readonly outputSchema?: string | undefined;
  /** What these schemas say, where they could be read. */
  readonly inputType?: Type | undefined;
  readonly outputType?: Type | undefined;
  /** The definition itself, if it is written in the form of some platform: a target that knows the format may emit it unchanged. */
  readonly native?: NativeForm | undefined;
  /** Errors that end its runs have a message and no name. */
  readonly unnamedErrors?: true | undefined;
  /** What the definition carries for other tools: no meaning. */
  readonly metadata?: Json | undefined;
  readonly span: Span;
}

/** A workflow in the form of a platform. Opaque to everything but the front end that sets it and the targets that know its format. */
export interface NativeForm {
  readonly format: string;
  readonly value: JsonObject;
}

/** A name that a person wrote (or that stands for one), and where. */
export interface Reference {
  readonly name: string;
  readonly span: Span;
}

/**
 * Steps that may transition to each other and to nothing else. Runs `entry` first; ends at an `End`.
 * The scope of a branch or of an iteration reads the variables of outer scopes as they were on entry and never writes
 * them; what it declares itself hides an outer variable of the same name. The body of an `Attempt` shares the
 * variables around it and declares none.
 */
export interface Scope {
  readonly entry: Reference;
  readonly variables: readonly VariableDeclaration[];
  readonly steps: readonly Step[];
  /** Entered outside this window the scope ends at once, with the value of its document variable (`Workflow.input`). */
  readonly window?: Window | undefined;
  readonly span: Span;
}

/** A variable of a scope, and its first value: over the variables of the scopes around it, or the run's input; null when absent. */
export interface VariableDeclaration {
  readonly name: string;
  readonly initial?: Expression | undefined;
}

/** One thing that is done. */
export type Step = Assign | Choose | Call | Delay | Receive | Emit | Fork | ForEach | Invoke | Attempt | End;

/** What every step has. */
export interface StepBase {
  /** Unique in the workflow. A state's first step is named after the state; the others `<state>/<what>`. */
  readonly id: string;
  readonly origin: StepOrigin;
  /** What the step comes from; for a construct's first step the construct's name. */
  readonly span: Span;
}

/** The construct of the source language that a step comes from, in that language's words: for diagnostics, comments and traces. */
export interface StepOrigin {
  /** Such as `operation state`. */
  readonly noun: string;
  /** The construct's own name. */
  readonly name: string;
  /** True on the step where the construct begins: the one that transitions of the source language lead to. */
  readonly entry: boolean;
  /** What the step does of all that the construct does: `wait`. Absent: it stands for the construct. */
  readonly part?: string | undefined;
}

/** Gives variables new values, all computed from the old ones. */
export interface Assign extends StepBase {
  readonly kind: "assign";
  readonly values: readonly { readonly variable: string; readonly value: Expression }[];
  readonly next: Reference;
}

/** Takes the first case whose condition gives true; else `otherwise`; without one the scope fails with `NoChoiceMatched`. */
export interface Choose extends StepBase {
  readonly kind: "choose";
  readonly cases: readonly ChooseCase[];
  readonly otherwise?: Reference | undefined;
}

/** One way out of a `Choose`. */
export interface ChooseCase {
  readonly when: Expression;
  readonly next: Reference;
  readonly span: Span;
}

/**
 * Calls a function with one argument and waits for its answer. `timeout` is per attempt, in seconds: it raises an error with origin
 * `timeout` and name `Timeout`. With `wait: false` the call is made and its answer never looked at; `bind` is then null. A function that is built in
 * (see `BuiltIn`) is waited for, and has no timeout.
 */
export interface Call extends StepBase {
  readonly kind: "call";
  readonly function: Reference;
  readonly argument: Expression;
  readonly wait: boolean;
  /** What the argument, and nothing else, reads of secrets: looked up for each attempt, by a built-in function, and kept nowhere. */
  readonly secrets?: readonly SecretRead[] | undefined;
  readonly timeout?: number | undefined;
  readonly retries: readonly Retry[];
  readonly bind?: string | undefined;
  readonly handlers: readonly Handler[];
  readonly next: Reference;
}

/** A secret, as the argument of a call reads it: in the variable `bind`. */
export interface SecretRead {
  readonly bind: string;
  /** The built-in function that looks it up. */
  readonly reader: Reference;
  readonly id: string;
  readonly key: string;
  /** Which version of it; the current one where absent. */
  readonly version?: string | undefined;
}

/** Waits for a number of seconds, or until an ISO 8601 instant; not at all if that is past. */
export interface Delay extends StepBase {
  readonly kind: "delay";
  readonly wait:
    | { readonly kind: "for"; readonly seconds: Expression }
    | { readonly kind: "until"; readonly instant: Expression };
  readonly next: Reference;
}

/**
 * Waits for the first alternative all of whose events have come. An alternative with `within` is given up after that many seconds; when
 * all have been given up the wait ends without one. Binds `{ alternative, events, groups }`: the index of the alternative, or null; its
 * events in order of arrival, each once; and the event that counts for each of its groups. Each is `{ name, event }` with the name of the
 * definition and the CloudEvent.
 */
export interface Receive extends StepBase {
  readonly kind: "receive";
  readonly alternatives: readonly EventCombination[];
  /** What becomes of events that came during the wait and that the alternative taken does not use. */
  readonly unused: "keep" | "drop";
  readonly bind: string;
  readonly next: Reference;
}

/** A combination of events. */
export interface EventCombination {
  /** Of each group any pattern suffices; of several events the earliest counts; one event may serve several groups. */
  readonly all: readonly (readonly EventPattern[])[];
  /** No event of these may have come since the wait began. */
  readonly none: readonly EventPattern[];
  /** Seconds; absent: for ever. */
  readonly within?: number | undefined;
  readonly span: Span;
}

/** An event of a definition, for which `when` (over `$event` and the variables) gives true. */
export interface EventPattern {
  readonly event: Reference;
  readonly when?: Expression | undefined;
}

/** Produces an event: type, source and subject of the definition, `data` as its data, and the run's correlation value where the definition has an attribute for it. */
export interface Emit extends StepBase {
  readonly kind: "emit";
  readonly event: Reference;
  readonly data: Expression;
  /** Further context attributes. */
  readonly attributes?: { readonly [name: string]: string } | undefined;
  readonly next: Reference;
}

/**
 * Runs branches side by side, at most `width` at once, started in order. Joins on all, or when `count` of them have completed; the others
 * are then no part of the run any more. `failure: fatal`: a branch's failure fails the step at once; `spare`: only when the join can no
 * longer be reached. Binds an object: the value of each branch that the join counted, by branch name, in the order of the branches.
 */
export interface Fork extends StepBase {
  readonly kind: "fork";
  readonly branches: readonly Branch[];
  readonly join: { readonly kind: "all" } | { readonly kind: "some"; readonly count: number };
  readonly failure: "fatal" | "spare";
  readonly width?: number | undefined;
  readonly retries: readonly Retry[];
  readonly bind?: string | undefined;
  readonly handlers: readonly Handler[];
  readonly next: Reference;
}

/** One branch of a `Fork`; names are unique in it. */
export interface Branch {
  readonly name: string;
  readonly scope: Scope;
  readonly span: Span;
}

/**
 * Runs a scope for each element of an array, at most `width` at once; the starts of successive iterations are at least `gap` seconds
 * apart. The scope has `element` (and `index`, from 0) as variables. Binds the values in the order of the elements. An error in an
 * iteration starts no further one and fails the step. `items` must give an array; front ends make sure, or fail by expression.
 */
export interface ForEach extends StepBase {
  readonly kind: "foreach";
  readonly items: Expression;
  readonly element: string;
  readonly index?: string | undefined;
  readonly scope: Scope;
  readonly width?: number | undefined;
  readonly gap?: number | undefined;
  readonly retries: readonly Retry[];
  readonly bind?: string | undefined;
  readonly handlers: readonly Handler[];
  readonly next: Reference;
}

/**
 * Starts another workflow and, with `wait`, waits for its output (or fails with its error). A workflow that is not in the program is
 * external: called by its id. With `terminates`, a subflow that ends its whole run (`End` with extent `run`) ends this one too.
 */
export interface Invoke extends StepBase {
  readonly kind: "invoke";
  readonly workflow: Reference;
  readonly input: Expression;
  readonly wait: boolean;
  readonly terminates: boolean;
  readonly timeout?: number | undefined;
  readonly retries: readonly Retry[];
  readonly bind?: string | undefined;
  readonly handlers: readonly Handler[];
  readonly next: Reference;
}

/**
 * Runs a scope as one, on the surrounding variables: retries, timeout and handlers around many steps. Before each new attempt the
 * variables in `restore` go back to what they were on entry. Binds the value that the body ended with.
 */
export interface Attempt extends StepBase {
  readonly kind: "attempt";
  readonly body: Scope;
  readonly restore: readonly string[];
  readonly timeout?: number | undefined;
  readonly retries: readonly Retry[];
  readonly bind?: string | undefined;
  readonly handlers: readonly Handler[];
  readonly next: Reference;
}

/** Ends this scope, or the whole run from however deep: with a value, or with an error (an expression that gives an `ErrorValue`). */
export interface End extends StepBase {
  readonly kind: "end";
  readonly outcome: "leave" | "fail";
  readonly extent: "scope" | "run";
  readonly value: Expression;
}
