import type { DataFlow } from "../../../src/analysis/types/flow.ts";
import type {
  Call,
  EventDefinition,
  ForEach,
  Fork,
  FunctionDefinition,
  Program,
  Reference,
  Workflow,
} from "../../../src/ir/workflow.ts";
import type { Span } from "../../../src/text/source.ts";
import type { DeployedFunctions } from "./deployed-functions.ts";
import type { StateBuilder } from "./state-builder.ts";

/** The names of a workflow's entities on the platform. */
export interface PlatformNames {
  action(definition: FunctionDefinition): string;
  /** The time limit of a function's action, in seconds. */
  actionSeconds(definition: FunctionDefinition): number;
  workflow(id: string): string;
  /** The helper action. Requests name its operation. */
  readonly helper: string;
  trigger(event: EventDefinition): string;
  /** The number of components per invocation. */
  readonly budget: number;
  noteSuspension(what: SuspensionReason): void;
}

/** Why runs suspend: to wait for events, long delays or branches. */
export type SuspensionReason = "events" | "delays" | "branches";

/** The state of selecting a workflow. */
export interface SelectionContext {
  readonly program: Program;
  readonly workflow: Workflow;
  readonly platform: PlatformNames;
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  readonly events: ReadonlyMap<string, EventDefinition>;
  /** The names of variables that are read. */
  readonly symbols: ReadonlyMap<string, string>;
  readonly knownTypes: DataFlow["before"];
  readonly counters: ReadonlySet<string>;
  /** Names that functions may not declare. */
  readonly reservedNames: ReadonlySet<string>;
  readonly builder: StateBuilder;
  readonly deployed: DeployedFunctions;
  readonly exit: string;
  /** The variable with the correlation value, if events use it. */
  readonly token: string | undefined;
  /** The variable with the run id, if subflows need it. */
  readonly run: string | undefined;
  /** The name of the event in printed patterns. */
  readonly eventName: string;
  /** Whether this workflow may end the run that waits for it. */
  readonly mayEndCaller: boolean;
  readonly closing: string;
  noteTimeLimit(step: Call, time: { readonly seconds: number; readonly limit: number }): void;
  noteConcurrency(step: Fork | ForEach, count: number): void;
  noteExternal(workflow: Reference): void;
  refuse(span: Span, construct: string, hint?: string): void;
}

/** The surroundings of the steps of a scope. */
export interface ScopeContext {
  readonly flow: SelectionContext;
  readonly scopeExit: ScopeExit;
  readonly openTries: number;
  /** The variables with enclosing deadlines, innermost first. */
  readonly deadlines: readonly string[];
  readonly declared: ReadonlySet<string>;
}

/** Where an end of a scope leads. */
export type ScopeExit =
  /** The workflow, a branch or an iteration: the result becomes the params, if it is read. */
  | { readonly kind: "run" | "branch"; readonly closing: string; readonly isUnread?: boolean }
  /** The body of an attempt: the result is assigned to `bind`. */
  | {
      readonly kind: "attempt";
      readonly bind: string | undefined;
      readonly next: string;
      readonly outer: ScopeContext;
    };
