import type { Json, JsonObject } from "../json.ts";

/**
 * A definition as a state machine over one document, in which the versions of Serverless Workflow before 1.0 agree.
 * Expressions are jq programs without delimiters.
 */
export interface StateMachine {
  readonly id: string;
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly description: string | undefined;
  readonly metadata: JsonObject;
  readonly states: readonly State[];
  readonly secrets: readonly string[];
  /** An ISO 8601 duration. */
  readonly timeout: string | undefined;
  /** The JSON Schema of the input, or its URI. */
  readonly inputSchema: JsonObject | string | undefined;
  /** The enforced JSON Schema of the output, or its URI. */
  readonly outputSchema?: JsonObject | string | undefined;
  readonly schedule: Schedule | undefined;
  readonly merging: Merging;
  /** Whether a handler of a state that matches the timeout of its wait handles it. Otherwise the state proceeds. */
  readonly handlesWaits: boolean;
  readonly place: Place;
}

/**
 * How an object is merged into the data: its members replace those of the data, or objects are merged, and arrays are
 * replaced or united.
 */
export type Merging = "members" | "objects" | "objects and arrays";

/** Where a construct is in the source: an object, or one of its properties. */
export interface Place {
  readonly owner: object;
  readonly key?: string | number | undefined;
}

/** What creates runs, other than calls and events. */
export type Schedule =
  | { readonly kind: "cron"; readonly expression: string; readonly place: Place }
  | { readonly kind: "every"; readonly duration: string; readonly place: Place };

/** A state; the first of a machine is the start. */
export type State =
  | OperationState
  | ParallelState
  | ForEachState
  | EventState
  | CallbackState
  | SwitchState
  | EventSwitchState
  | InjectState
  | SleepState;

/** The members of all states. */
export interface StateBase {
  readonly name: string;
  readonly place: Place;
  /** Data for other tools. */
  readonly metadata?: JsonObject | undefined;
  /** What the state sees of the data. */
  readonly input: Filter | undefined;
  /** What the next state sees. */
  readonly output: Filter | undefined;
  readonly timeout: string | undefined;
  /** How the whole state is repeated; the first that matches an error decides. */
  readonly retries: readonly Retry[];
  /** The first that matches an error decides. */
  readonly handlers: readonly ErrorHandler[];
}

/** An expression that replaces data. */
export interface Filter {
  readonly jq: string;
  readonly place: Place;
}

/** A state that is left in one way. */
export interface StateWithExit extends StateBase {
  readonly exit: Exit;
}

/** Performs actions. */
export interface OperationState extends StateWithExit {
  readonly kind: "operation";
  readonly isParallel: boolean;
  readonly actions: readonly Action[];
}

/** Runs branches concurrently. `count`: how many have to complete; all if undefined. */
export interface ParallelState extends StateWithExit {
  readonly kind: "parallel";
  readonly branches: readonly Branch[];
  readonly count: number | undefined;
}

/** A branch of a parallel state. */
export interface Branch {
  readonly name: string;
  readonly place: Place;
  readonly timeout: string | undefined;
  readonly body: Body;
  /** Whether the result may be something else than an object, which becomes the member of the branch's name. */
  readonly mayYieldOther: boolean;
}

/** What a branch or iteration does. Its states end with the branch or iteration. */
export type Body =
  | { readonly kind: "actions"; readonly actions: readonly Action[] }
  | { readonly kind: "states"; readonly states: readonly State[] };

/** Performs actions or states per element of an array. */
export interface ForEachState extends StateWithExit {
  readonly kind: "foreach";
  readonly items: string;
  readonly item: string;
  /** The path of the array that receives the results. */
  readonly results: Path | undefined;
  /** Whether the array replaces an existing one; otherwise, it is extended. */
  readonly replacesResults: boolean;
  /** Whether the result of an iteration is its data or only the members that it changed. */
  readonly collects: "data" | "changes";
  readonly isParallel: boolean;
  readonly body: Body;
}

/** Waits for events and performs actions. As the first state, it creates runs. */
export interface EventState extends StateWithExit {
  readonly kind: "event";
  /** The first entry whose events arrive, or all entries. */
  readonly isExclusive: boolean;
  readonly entries: readonly EventEntry[];
  readonly eventTimeout: string | undefined;
}

/** Events of an event state and their actions. */
export interface EventEntry {
  readonly events: readonly EventDefinition[];
  readonly filter: EventFilter;
  readonly actions: readonly Action[];
  readonly place: Place;
}

/** Performs an action and waits for an event. */
export interface CallbackState extends StateWithExit {
  readonly kind: "callback";
  readonly action: Action;
  readonly event: EventDefinition;
  readonly filter: EventFilter;
  readonly eventTimeout: string | undefined;
}

/** Selects a transition by conditions over the data. */
export interface SwitchState extends StateBase {
  readonly kind: "switch";
  readonly cases: readonly SwitchCase[];
  readonly otherwise: Exit | undefined;
}

/** A case of a switch. */
export interface SwitchCase {
  readonly name: string | undefined;
  readonly when: string;
  readonly exit: Exit;
  readonly place: Place;
}

/** Selects a transition by the first event. */
export interface EventSwitchState extends StateBase {
  readonly kind: "event switch";
  readonly cases: readonly EventCase[];
  readonly otherwise: Exit | undefined;
  readonly eventTimeout: string | undefined;
}

/** A case of an event switch. */
export interface EventCase {
  readonly name: string | undefined;
  readonly event: EventDefinition;
  readonly filter: EventFilter;
  readonly exit: Exit;
  readonly place: Place;
}

/** Merges constant data. */
export interface InjectState extends StateWithExit {
  readonly kind: "inject";
  readonly data: JsonObject;
}

/** Waits. */
export interface SleepState extends StateWithExit {
  readonly kind: "sleep";
  readonly duration: string;
}

/** How a state or case is left: to a state, or the end of the run. */
export interface Exit {
  readonly to: string | undefined;
  readonly events: readonly ProducedEvent[];
  /** The workflow that replaces the run when it ends. */
  readonly continuation: Continuation | undefined;
  /** Whether the end of a branch or iteration ends the run. */
  readonly endsRun: boolean;
  /** Otherwise the run fails. */
  readonly condition: Filter | undefined;
  readonly place: Place;
}

/** A workflow that continues a run, and its input. */
export interface Continuation {
  readonly id: string;
  readonly version: string | undefined;
  /** Undefined: the output of the run. */
  readonly input: Template | undefined;
  readonly place: Place;
}

/** An event that is emitted. */
export interface ProducedEvent {
  readonly event: EventDefinition;
  readonly data: Template | undefined;
  readonly attributes: { readonly [name: string]: Template };
  readonly place: Place;
}

/** An event. */
export interface EventDefinition {
  readonly name: string;
  readonly type: string;
  readonly source: string | undefined;
  readonly correlation: readonly CorrelationRule[];
  /** Otherwise filters see the whole event. */
  readonly dataOnly: boolean;
}

/** An attribute that relates an event to a run. */
export interface CorrelationRule {
  readonly attribute: string;
  /** Undefined: the value of the first correlated event of the run. */
  readonly value: Template | undefined;
}

/** What of an event is merged into the data, and where. */
export interface EventFilter {
  readonly isUsed: boolean;
  readonly data: string | undefined;
  readonly to: Path | undefined;
}

/** An error handler. */
export interface ErrorHandler {
  /** Undefined: any error. */
  readonly errors: readonly ErrorPattern[] | undefined;
  readonly except: readonly ErrorPattern[];
  /** A program that adds `$error` to the data. */
  readonly merge: string | undefined;
  readonly exit: Exit;
  readonly place: Place;
}

/** An error by name and code. */
export interface ErrorPattern {
  readonly name: string;
  readonly code: string | undefined;
}

/** An action of a state. */
export interface Action {
  readonly name: string | undefined;
  readonly place: Place;
  readonly work: Work;
  readonly condition: string | undefined;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** What the action sees of the data; all if undefined. */
  readonly from: string | undefined;
  /** What of the result is merged. */
  readonly results: string | undefined;
  readonly to: Path | undefined;
  readonly isResultUsed: boolean;
  readonly timeout: string | undefined;
  /** Whether a timeout has no effect but the missing result. */
  readonly isTimeoutIgnored: boolean;
  readonly retry: Retry | undefined;
}

/** A path in the data, such as `.a.b`; `names` are its members if it has no indexes. */
export interface Path {
  readonly jq: string;
  readonly names: readonly string[] | undefined;
}

/** What an action does. */
export type Work = FunctionCall | SubflowCall | EventExchange;

/** Calls a function. */
export interface FunctionCall {
  readonly kind: "function";
  readonly function: FunctionDefinition;
  /** Undefined: the data of the action. */
  readonly argument: Template | undefined;
  readonly isAwaited: boolean;
}

/** A function. */
export interface FunctionDefinition {
  readonly name: string;
  readonly type: string;
  readonly operation: string;
  readonly place: Place;
}

/** Runs another workflow. */
export interface SubflowCall {
  readonly kind: "subflow";
  readonly id: string;
  readonly version: string | undefined;
  readonly isAwaited: boolean;
}

/** Emits an event, and waits for another one. */
export interface EventExchange {
  readonly kind: "event";
  readonly trigger: ProducedEvent;
  readonly result: EventDefinition | undefined;
  readonly timeout: string | undefined;
}

/** JSON in which a string of the form `${ jq }` is an expression. */
export type Template = Json;

/** How a failed action is repeated. */
export interface Retry {
  readonly name: string | undefined;
  /** Undefined: unlimited. */
  readonly limit: number | undefined;
  readonly delay: string | undefined;
  readonly multiplier: number;
  readonly increment: string | undefined;
  readonly maximum: string | undefined;
  readonly hasJitter: boolean;
  /** Only these errors; all if undefined. */
  readonly only: readonly ErrorPattern[] | undefined;
  readonly except: readonly ErrorPattern[];
  readonly place: Place;
}
