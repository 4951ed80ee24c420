import type { DataFlow } from "../../../src/analysis/types/index.ts";
import type { Program } from "../../../src/ir/program.ts";
import type {
  Call,
  EventDefinition,
  ForEach,
  Fork,
  FunctionDefinition,
  Reference,
  Workflow,
} from "../../../src/ir/workflow.ts";
import type { Span } from "../../../src/text/source.ts";
import type { StateBuilder } from "./state-builder.ts";

/** The names of a workflow's entities on the platform, and what selection reports back to the deployment. */
export interface PlatformNames {
  action(definition: FunctionDefinition): string;
  workflow(id: string): string;
  /** A helper action, such as `rt-delay`. */
  helper(name: string): string;
  trigger(event: EventDefinition): string;
  /** The number of components after which a run continues in a new invocation. */
  readonly budget: number;
  noteSuspension(what: SuspensionReason): void;
}

/** Why runs suspend: they wait for events, for long delays, or for branches whose last one resumes the run. */
export type SuspensionReason = "events" | "delays" | "branches";

/** The state of selecting one workflow. */
export interface SelectionContext {
  readonly program: Program;
  readonly workflow: Workflow;
  readonly platform: PlatformNames;
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  readonly events: ReadonlyMap<string, EventDefinition>;
  /** The names of variables in functions. Variables that are never read have none. */
  readonly symbols: ReadonlyMap<string, string>;
  /** The types of variables before each step. */
  readonly knownTypes: DataFlow["before"];
  /** The variables that are only used as counters. */
  readonly counters: ReadonlySet<string>;
  /** Names that functions may not declare. */
  readonly reservedNames: ReadonlySet<string>;
  readonly builder: StateBuilder;
  /** The state at which runs and branches end. */
  readonly exit: string;
  /** The variable with the run's correlation value, null if it is not set yet. Undefined if no event needs it. */
  readonly token: string | undefined;
  /** The variable with the id of the run. Undefined if no subflow needs it. */
  readonly run: string | undefined;
  /** The name of the event in functions of patterns. */
  readonly eventName: string;
  /**
   * Whether an end of this workflow may also end the run that waits for it. Such a run fails with a marker, which is
   * not a failure if no caller waits.
   */
  readonly mayEndCaller: boolean;
  /** The label that the workflow goes to when it is done, with its result as params. */
  readonly closing: string;
  /** Reports a timeout, in seconds, that exceeds the time limit of an action. */
  noteTimeLimit(step: Call, seconds: number): void;
  /** Reports how many branches or iterations may run at once. */
  noteConcurrency(step: Fork | ForEach, count: number): void;
  /** Reports a wait for a workflow outside the program. */
  noteExternal(workflow: Reference): void;
  /** Reports a construct that has no exact form. */
  refuse(span: Span, construct: string, hint?: string): void;
}

/** The surroundings of the steps of a scope. */
export interface ScopeContext {
  readonly flow: SelectionContext;
  readonly scopeExit: ScopeExit;
  /** The number of `Try` states open here, counted from the workflow or the branch. */
  readonly openTries: number;
  /** The variables with the deadlines of enclosing attempts, innermost first. */
  readonly deadlines: readonly string[];
  /** The variables that are declared here. */
  readonly declared: ReadonlySet<string>;
}

/** Where an end of a scope leads. */
export type ScopeExit =
  /** The workflow, a branch or an iteration: the result becomes the params, and the variables are closed. */
  | { readonly kind: "run" | "branch"; readonly closing: string }
  /** The body of an attempt: the result is assigned to a variable, if one is bound. */
  | {
      readonly kind: "attempt";
      readonly bind: string | undefined;
      readonly next: string;
      readonly outer: ScopeContext;
    };
