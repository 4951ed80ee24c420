import type { Workflow } from "../../src/ir/workflow.ts";
import type { JsonObject } from "../../src/json.ts";

/** A composition in the JSON format of OpenWhisk Composer. It may only end at `Exit`. */
export interface Composition {
  readonly Entry: string;
  readonly Exit: string;
  /** Declarations for functions, in order of dependency. Only our conductor supports them. */
  readonly Helpers?: { readonly [name: string]: string };
  readonly States: { readonly [name: string]: State };
}

/** Whether helpers are declared once per composition or in each function, for other conductors. */
export type HelperPlacement = "composition" | "functions";

/** A state, which receives params and passes its result to the next one. */
export type State =
  | StackState
  | ActionTask
  | FunctionTask
  | ValueTask
  | Choice
  | { readonly Type: "Try"; readonly Handler: string; readonly Next?: string }
  | { readonly Type: "Let"; readonly Symbol: string; readonly Value: unknown; readonly Next?: string };

/**
 * A state that affects the stack: `Push` saves the params, `Pop` restores them, `Catch` ends a `Try`, `End` a `Let`.
 */
export interface StackState {
  readonly Type: "Pass" | "Push" | "Pop" | "Catch" | "End";
  readonly Next?: string;
}

/** Calls an action with the params. */
export interface ActionTask {
  readonly Type: "Task";
  readonly Action: string;
  readonly Next?: string;
}

/** Evaluates a function of the params. The symbols of enclosing `Let` states are variables. */
export interface FunctionTask {
  readonly Type: "Task";
  /** A JavaScript expression that evaluates to the function. */
  readonly Function: string;
  readonly Next?: string;
}

/** Returns a constant. */
export interface ValueTask {
  readonly Type: "Task";
  readonly Value: unknown;
  readonly Next?: string;
}

/** Leads to `Then` if the params are `value: true`, and restores the pushed params. */
export interface Choice {
  readonly Type: "Choice";
  readonly Then: string;
  readonly Else: string;
}

/** The fields of all kinds of states. */
export interface StateFields {
  readonly Type: string;
  readonly Next?: string;
  readonly Then?: string;
  readonly Else?: string;
  readonly Handler?: string;
  readonly Action?: string;
  readonly Function?: string;
  readonly Value?: unknown;
  readonly Symbol?: string;
}

/** A workflow that is defined as a composition. */
export interface NativeComposition {
  /** `{ Entry, Exit, States }`. Actions are named after the workflow's functions. */
  readonly definition: JsonObject;
  /** Whether calling a missing action ends the run or raises an error. */
  readonly missingAction: "reject" | "catch";
  /** The parameters that are removed from the input. */
  readonly reserved: readonly string[];
}

/** The composition that a workflow is defined as, if it is. */
export function nativeComposition({ native }: Workflow): NativeComposition | undefined {
  return native?.format === "openwhisk-composition" ? (native.value as unknown as NativeComposition) : undefined;
}
