import type { Json, JsonObject } from "../../json.ts";

/** A definition as its schema has it, after case and aliases have been folded. `schema/serverless-workflow.schema.json` says the same in JSON Schema. */
export interface Definition {
  readonly id?: string;
  readonly name?: string;
  readonly description?: string;
  readonly version?: string;
  readonly expressionLanguage?: string;
  readonly dataInputSchema?: string;
  readonly dataOutputSchema?: string;
  readonly startsAt?: string;
  readonly events?: readonly EventDefinition[];
  readonly functions?: readonly FunctionDefinition[];
  readonly states: readonly State[];
  readonly extensions?: Json;
  readonly metadata?: Json;
}

/** A function that actions call. */
export interface FunctionDefinition {
  readonly name: string;
  readonly resource?: string;
  readonly type?: string;
  readonly metadata?: Json;
}

/** An event that is waited for or produced. */
export interface EventDefinition {
  readonly name: string;
  readonly source?: string;
  readonly type: string;
  readonly correlationToken?: string;
  readonly metadata?: Json;
}

/** One of the nine kinds of state. */
export type State =
  | EventState
  | OperationState
  | SwitchState
  | DelayState
  | ParallelState
  | SubflowState
  | InjectState
  | ForEachState
  | CallbackState;

/** What every state may have; `retry`, `transition` and `end` are not allowed in all. */
export interface StateBase {
  readonly id?: string;
  readonly name: string;
  readonly stateDataFilter?: StateDataFilter;
  readonly start?: Start;
  readonly retry?: readonly Retry[];
  readonly onError?: readonly ErrorHandler[];
  readonly transition?: Transition;
  readonly end?: End;
}

/** Waits for events, then performs actions. */
export interface EventState extends StateBase {
  readonly type: "event";
  readonly exclusive?: boolean;
  readonly eventsActions: readonly EventActions[];
  readonly timeout?: string;
}

/** Events to wait for, and what to do when they have come. */
export interface EventActions extends HasActions {
  readonly eventRefs: readonly string[];
  readonly eventDataFilter?: EventDataFilter;
}

/** Actions and how they are performed. */
export interface HasActions {
  readonly actionMode?: "sequential" | "parallel";
  readonly actions: readonly Action[];
}

/** Performs actions. */
export interface OperationState extends StateBase, HasActions {
  readonly type: "operation";
}

/** Chooses the next state by the data, or by the event that comes first. */
export interface SwitchState extends StateBase {
  readonly type: "switch";
  readonly dataConditions?: readonly DataCondition[];
  readonly eventConditions?: readonly EventCondition[];
  readonly eventTimeout?: string;
  readonly default?: Transition;
}

/** A condition on the data, and where it leads. */
export interface DataCondition {
  readonly path: string;
  readonly value?: Json;
  readonly operator: string;
  readonly transition: Transition;
}

/** An event, and where it leads. */
export interface EventCondition {
  readonly eventRef: string;
  readonly transition: Transition;
  readonly eventDataFilter?: EventDataFilter;
}

/** Waits for some time. */
export interface DelayState extends StateBase {
  readonly type: "delay";
  readonly timeDelay: string;
}

/** Runs branches side by side. */
export interface ParallelState extends StateBase {
  readonly type: "parallel";
  readonly branches: readonly Branch[];
  readonly completionType?: "and" | "xor" | "n_of_m";
  readonly n?: number;
}

/** States that run beside those of other branches. */
export interface Branch {
  readonly name: string;
  readonly states: readonly State[];
}

/** Runs another workflow. */
export interface SubflowState extends StateBase {
  readonly type: "subflow";
  readonly waitForCompletion?: boolean;
  readonly workflowId: string;
}

/** Adds fixed data. */
export interface InjectState extends StateBase {
  readonly type: "inject";
  readonly data?: JsonObject;
}

/** Runs states for each element of an array. */
export interface ForEachState extends StateBase {
  readonly type: "foreach";
  readonly inputCollection: string;
  readonly outputCollection?: string;
  readonly inputParameter: string;
  readonly max?: number;
  readonly timeDelay?: string;
  readonly states: readonly State[];
}

/** Performs an action, then waits for the event that answers it. */
export interface CallbackState extends StateBase {
  readonly type: "callback";
  readonly action: Action;
  readonly eventRef: string;
  readonly timeout: string;
  readonly eventDataFilter?: EventDataFilter;
}

/** One call of a function. */
export interface Action {
  readonly name?: string;
  readonly functionRef: FunctionRef;
  readonly timeout?: string;
  readonly actionDataFilter?: ActionDataFilter;
}

/** The function that an action calls, and with what. */
export interface FunctionRef {
  readonly refName: string;
  readonly parameters?: JsonObject;
}

/** What of the data a state sees, and what it passes on. */
export interface StateDataFilter {
  readonly dataInputPath?: string;
  readonly dataOutputPath?: string;
}

/** What of the data an action sees, and where its result goes. */
export interface ActionDataFilter {
  readonly dataInputPath?: string;
  readonly dataResultsPath?: string;
}

/** What of an event goes into the data. */
export interface EventDataFilter {
  readonly dataOutputPath?: string;
}

/** What of an error goes into the data. */
export interface ErrorDataFilter {
  readonly dataOutputPath?: string;
}

/** Where a state goes when an error occurs in it. */
export interface ErrorHandler {
  readonly expression: Condition;
  readonly errorDataFilter?: ErrorDataFilter;
  readonly transition: Transition;
}

/** When and how often a state is tried again. */
export interface Retry {
  readonly expression: Condition;
  readonly interval?: string;
  readonly multiplier?: string | number;
  readonly maxAttempts?: number;
}

/** A condition: its text alone, or with its language. */
export type Condition = string | { readonly language?: string; readonly body: string };

/** The state that follows. */
export interface Transition {
  readonly expression?: Condition;
  readonly produceEvent?: ProducedEvent;
  readonly nextState: string;
}

/** An event that a transition or an end produces. */
export interface ProducedEvent {
  readonly eventRef: string;
  readonly data?: string | JsonObject;
}

/** Makes a state the first one. */
export interface Start {
  readonly kind: "default" | "scheduled";
  readonly schedule?: { readonly interval: string };
}

/** Makes a state the last one. */
export interface End {
  readonly kind: "default" | "terminate" | "event";
  readonly produceEvent?: ProducedEvent;
}
