import type { Expression } from "../expressions/index.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Span } from "../text/source.ts";
import type { SchemaRules, Type } from "../types/index.ts";
import type { Callback } from "./callbacks.ts";
import type { EventDefinition, FunctionDefinition, Start, Window } from "./definitions.ts";
import type { ErrorNames, ErrorValue, Handler, Retry } from "./recovery.ts";
import type { Seconds } from "./seconds.ts";
import type { ValueSpans } from "./spans.ts";
import type { Tolerance } from "./tolerance.ts";
import type { Width } from "./width.ts";

export type { Callback } from "./callbacks.ts";
export type { EventDefinition, FunctionDefinition, Start, Timer, Window } from "./definitions.ts";
export type { Backoff, CallErrorNames, ErrorNames, ErrorValue, Handler, Jitter, Retry } from "./recovery.ts";
export type { Seconds } from "./seconds.ts";
export type { Tolerance } from "./tolerance.ts";
export type { Width } from "./width.ts";

/**
 * The intermediate representation: a tree of scopes, each a graph of steps over named variables. Source languages
 * disagree on what a state does, so the IR has none: front ends lower to it, targets lower it further, and
 * `src/reference` defines its semantics.
 *
 * Nodes are readonly plain data with a `kind` and the span of their source construct.
 */
export interface Workflow {
  readonly kind: "workflow";
  /** Unique in the program; names output files. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description?: string | undefined;
  /** As in `--from`. */
  readonly language: string;
  readonly start: Start;
  /** The limit of each run, from its start. */
  readonly timeout?: RunLimit | undefined;
  /** The variable of `body` that initially holds the run's input. Targets with a document pass it as the document. */
  readonly input: string;
  /** Otherwise a run whose input is not an object fails without executing anything. */
  readonly anyInput?: true | undefined;
  readonly body: Scope;
  readonly functions: readonly FunctionDefinition[];
  readonly events: readonly EventDefinition[];
  /** Conditions of retries and handlers and observers of runs see these. */
  readonly errorNames?: ErrorNames | undefined;
  /**
   * What an error becomes when it leaves the step that raised it, over `$error` and the `pointer` of the step's origin
   * as `$pointer`: an `ErrorValue`. It applies to steps with a pointer, before retries and handlers of enclosing steps,
   * keeps what it has made, and never fails. It does not depend on the name and message of a failed expression, which
   * differ between platforms. Fatal errors stay as they are.
   */
  readonly raisedError?: Expression | undefined;
  /**
   * Set for targets whose runner or runtime makes problem details of errors: the standard errors (`StandardErrors`) by
   * which it does so, given the pointer of the step that failed.
   */
  readonly problems?: Json | undefined;
  /** The standard errors by which errors become problem details, for targets. */
  readonly standardErrors?: Json | undefined;
  /** Errors carry data of any form between scopes, workflows and targets; otherwise only a function's `trace`. */
  readonly detailedErrors?: true | undefined;
  /**
   * The run's correlation value at its start, over the input and `$run` (`{ id }`). Each correlated event that the run
   * receives replaces it. A wait keeps the value with which it began; without one, its first correlated event sets it.
   */
  readonly correlation?: Expression | undefined;
  /** URIs of JSON Schemas. */
  readonly inputSchema?: string | undefined;
  readonly outputSchema?: string | undefined;
  /**
   * The rules of the input schema, if it is enforced: a called run whose input does not fit fails without executing
   * anything. A run that events start has no input, and its data begins as an empty object.
   */
  readonly inputRules?: SchemaRules | undefined;
  /** The types in the schemas, if readable. With `inputRules`, every input has `inputType`. */
  readonly inputType?: Type | undefined;
  readonly outputType?: Type | undefined;
  /** The definition itself, in the form of a platform. Targets that know it may emit it unchanged. */
  readonly native?: NativeForm | undefined;
  /** The definition states all retries, also those of errors of the platform: targets add none. */
  readonly statesAllRetries?: true | undefined;
  /** Errors that end a run have only a message. */
  readonly unnamedErrors?: true | undefined;
  /** Data for other tools. */
  readonly metadata?: Json | undefined;
  readonly span: Span;
}

/**
 * The seconds that a run may take. Then it ends with an error of origin `timeout` and name `Timeout`, which no handler
 * of the run sees: `limitRun` defines it.
 */
export interface RunLimit {
  /** Constant, or an expression over the input; a run for which that yields no positive number fails. */
  readonly seconds: Seconds;
  /** For targets whose platform ends runs at their limit: how the workflow reports that. */
  readonly error?: ErrorValue | undefined;
  readonly span: Span;
}

/** A workflow in the form of a platform, opaque except to its front end and targets. */
export interface NativeForm {
  readonly format: string;
  readonly value: JsonObject;
  /** For reports: the fields of the workflow, and of each of its constructs by name, without those of inner constructs. */
  readonly fields?: { readonly whole: JsonObject; readonly constructs: ReadonlyMap<string, JsonObject> } | undefined;
}

/** A name in the source and its span. */
export interface Reference {
  readonly name: string;
  readonly span: Span;
}

/**
 * A graph of steps from `entry` to an `End`. The scope of a branch or iteration reads outer variables as of entry and
 * never writes them; its own variables shadow outer ones. The body of an `Attempt` shares the surrounding variables and
 * declares none.
 */
export interface Scope {
  readonly entry: Reference;
  readonly variables: readonly ScopeVariable[];
  readonly steps: readonly Step[];
  /** Outside this window, the scope ends at once with the value of `Workflow.input`. */
  readonly window?: Window | undefined;
  readonly span: Span;
}

/** A variable and its initial value, over outer variables or the run's input; null by default. */
export interface ScopeVariable {
  readonly name: string;
  readonly initial?: Expression | undefined;
}

/** A step. */
export type Step = Assign | Choose | Call | Delay | Receive | Emit | Fork | ForEach | Invoke | Attempt | End;

/** The members of all steps. */
export interface StepBase {
  /** Unique in the workflow: the state's name for its first step, otherwise `<state>/<part>`. */
  readonly id: string;
  readonly origin: StepOrigin;
  /** For the first step of a construct, the construct's name. */
  readonly span: Span;
}

/** The source construct of a step in the language's terms, for diagnostics, comments and traces. */
export interface StepOrigin {
  /** Such as `operation state`. */
  readonly noun: string;
  readonly name: string;
  /** Whether source transitions lead to this step. */
  readonly entry: boolean;
  /** Such as `wait`; undefined for the construct itself. */
  readonly part?: string | undefined;
  /** The JSON Pointer (RFC 6901) of the construct in its document, in the language's terms. */
  readonly pointer?: string | undefined;
}

/** Assigns variables simultaneously. */
export interface Assign extends StepBase {
  readonly kind: "assign";
  readonly values: readonly { readonly variable: string; readonly value: Expression }[];
  readonly next: Reference;
}

/**
 * Continues with the first case whose condition yields true, or with `otherwise`. Without either, the scope fails with
 * `NoChoiceMatched`.
 */
export interface Choose extends StepBase {
  readonly kind: "choose";
  readonly cases: readonly ChooseCase[];
  readonly otherwise?: Reference | undefined;
}

/** A case of a `Choose`. */
export interface ChooseCase {
  readonly when: Expression;
  readonly next: Reference;
  readonly span: Span;
}

/**
 * Calls a function with one argument and waits for the result, or for a callback. `timeout` applies to each attempt and
 * raises an error with origin `timeout` and name `Timeout`. With `wait: false` the result is ignored and `bind` is null.
 * Built-in functions are waited for and have no timeout.
 */
export interface Call extends StepBase {
  readonly kind: "call";
  readonly function: Reference;
  readonly argument: Expression;
  readonly wait: boolean;
  /** Only the argument reads them. They are looked up for each attempt and never stored. */
  readonly secrets?: readonly SecretRead[] | undefined;
  /** If present, the function's own result is ignored, unless either counts. */
  readonly callback?: Callback | undefined;
  readonly timeout?: Seconds | undefined;
  readonly spans?: ValueSpans<"timeout" | "argument"> | undefined;
  readonly retries: readonly Retry[];
  readonly bind?: string | undefined;
  readonly handlers: readonly Handler[];
  readonly next: Reference;
}

/** A secret bound to a variable of the argument. */
export interface SecretRead {
  readonly bind: string;
  /** A built-in function. */
  readonly reader: Reference;
  readonly id: string;
  readonly key: string;
  /** The current one by default. */
  readonly version?: string | undefined;
  /** The first place where the argument reads it. */
  readonly span: Span;
}

/** Waits for seconds or until an ISO 8601 instant, if that is in the future. */
export interface Delay extends StepBase {
  readonly kind: "delay";
  readonly wait:
    | { readonly kind: "for"; readonly seconds: Expression }
    | { readonly kind: "until"; readonly instant: Expression };
  readonly spans?: ValueSpans<"wait"> | undefined;
  readonly next: Reference;
}

/**
 * Waits for the first combination whose events have all arrived. A combination expires after `within` seconds; if all
 * have expired, the wait ends without one. Binds `{ alternative, events, groups }`: the index of the combination or
 * null; its events in order of arrival, without duplicates; and the event that satisfied each group. Each event is `{
 * name, event }`: the definition's name and the CloudEvent.
 */
export interface Receive extends StepBase {
  readonly kind: "receive";
  readonly alternatives: readonly EventCombination[];
  /** For events that arrive during the wait. */
  readonly unused: "keep" | "drop";
  /** Values that take precedence over the run's, by key. */
  readonly correlation?: readonly CorrelationValue[] | undefined;
  readonly bind: string;
  readonly next: Reference;
}

/**
 * The correlation value of a wait for definitions with a `correlationKey`, evaluated over the variables when the wait
 * begins. It cannot fail. Null, objects and arrays count as absent: the run's value applies.
 */
export interface CorrelationValue {
  readonly key: string;
  readonly value: Expression;
}

/** A combination of events. */
export interface EventCombination {
  /** Any pattern satisfies its group, by the earliest matching event. One event may satisfy several groups. */
  readonly all: readonly (readonly EventPattern[])[];
  /** None of these may have arrived since the wait began. */
  readonly none: readonly EventPattern[];
  /** In seconds; indefinitely if undefined. */
  readonly within?: number | undefined;
  readonly spans?: ValueSpans<"within"> | undefined;
  readonly span: Span;
}

/** Matches events of a definition for which `when`, over `$event` and the variables, yields true. */
export interface EventPattern {
  readonly event: Reference;
  readonly when?: Expression | undefined;
}

/**
 * Emits an event with the type, source and subject of its definition, `data`, and the correlation value in the
 * definition's attribute for it.
 */
export interface Emit extends StepBase {
  readonly kind: "emit";
  readonly event: Reference;
  readonly data: Expression;
  /** The correlation value; as in `CorrelationValue`. */
  readonly correlation?: Expression | undefined;
  /**
   * Context attributes by name, further ones or instead of those of the definition and the generated ones. A value that
   * is null, an object or an array, or no string for an attribute that CloudEvents defines, counts as not given. They
   * are computed after the data.
   */
  readonly attributes?: { readonly [name: string]: Expression } | undefined;
  /** Binds the event as an object, with its generated attributes. */
  readonly bind?: string | undefined;
  readonly next: Reference;
}

/**
 * Runs branches concurrently, at most `width` at a time, starting them in order. Joins on all, or on the first `count`;
 * the others are abandoned. With `failure: fatal`, a failing branch fails the step at once; with `spare`, only when the
 * join is no longer possible. Binds an object with the value of each joined branch by name, in the order of the
 * branches.
 */
export interface Fork extends StepBase {
  readonly kind: "fork";
  readonly branches: readonly Branch[];
  readonly join: { readonly kind: "all" } | { readonly kind: "some"; readonly count: number };
  readonly failure: "fatal" | "spare";
  readonly width?: number | undefined;
  readonly spans?: ValueSpans<"width"> | undefined;
  readonly retries: readonly Retry[];
  readonly bind?: string | undefined;
  readonly handlers: readonly Handler[];
  readonly next: Reference;
}

/** A branch of a `Fork`, with a unique name. */
export interface Branch {
  readonly name: string;
  readonly scope: Scope;
  readonly span: Span;
}

/**
 * Runs a scope per element of an array, at most `width` at a time; iterations start at least `gap` seconds apart.
 * `element` (and `index`, from 0) are variables of the scope. Binds the values in order. An error in an iteration that
 * is not tolerated starts no further ones and fails the step. `items` must yield an array; front ends ensure that.
 */
export interface ForEach extends StepBase {
  readonly kind: "foreach";
  readonly items: Expression;
  readonly element: string;
  readonly index?: string | undefined;
  readonly scope: Scope;
  readonly width?: Width | undefined;
  readonly gap?: number | undefined;
  /** Its iterations read no outer variables, except for initial values. */
  readonly tolerates?: Tolerance | undefined;
  readonly spans?: ValueSpans<"width" | "gap" | "tolerates"> | undefined;
  readonly retries: readonly Retry[];
  readonly bind?: string | undefined;
  readonly handlers: readonly Handler[];
  readonly next: Reference;
}

/**
 * Starts another workflow; with `wait`, waits for its output or error. A workflow outside the program is called by its
 * id. With `terminates`, an `End` of the subflow with extent `run` also ends this run. A subflow that is not waited for
 * continues when this workflow ends, or with `whenParentEnds: terminate` stops then.
 */
export interface Invoke extends StepBase {
  readonly kind: "invoke";
  readonly workflow: Reference;
  readonly input: Expression;
  readonly wait: boolean;
  readonly terminates: boolean;
  readonly whenParentEnds?: "continue" | "terminate" | undefined;
  readonly timeout?: Seconds | undefined;
  readonly spans?: ValueSpans<"timeout"> | undefined;
  readonly retries: readonly Retry[];
  readonly bind?: string | undefined;
  readonly handlers: readonly Handler[];
  readonly next: Reference;
}

/**
 * Runs a scope on the surrounding variables, with retries, timeout and handlers. Each retry first resets the variables
 * in `restore`. Binds the value of the body.
 */
export interface Attempt extends StepBase {
  readonly kind: "attempt";
  readonly body: Scope;
  readonly restore: readonly string[];
  readonly timeout?: Seconds | undefined;
  readonly spans?: ValueSpans<"timeout"> | undefined;
  readonly retries: readonly Retry[];
  readonly bind?: string | undefined;
  readonly handlers: readonly Handler[];
  readonly next: Reference;
}

/** Ends this scope or the run, with a value or an error (`ErrorValue`). */
export interface End extends StepBase {
  readonly kind: "end";
  readonly outcome: "leave" | "fail";
  readonly extent: "scope" | "run";
  readonly value: Expression;
}

/** The workflows compiled together. */
export interface Program {
  readonly workflows: readonly Workflow[];
  readonly byId: ReadonlyMap<string, Workflow>;
  /** May define any name. */
  readonly unread?: readonly string[] | undefined;
}

/** Creates a program. The first of equal ids wins. */
export function programOf(workflows: readonly Workflow[]): Program {
  const byId = new Map<string, Workflow>();
  for (const workflow of workflows) if (!byId.has(workflow.id)) byId.set(workflow.id, workflow);
  return { workflows, byId };
}
