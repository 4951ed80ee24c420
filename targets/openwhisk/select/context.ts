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
import type { Drawing } from "./state-builder.ts";

/** The names of things on the platform. */
export interface Entities {
  /** The action that a function is. */
  action(definition: FunctionDefinition): string;
  /** The action that a workflow is, by its id. */
  flow(id: string): string;
  /** One of our own helper actions, such as `rt-delay`. */
  helper(name: string): string;
  /** The trigger of an event. */
  trigger(event: EventDefinition): string;
  /** After how many components a run goes on in an invocation of its own. */
  readonly budget: number;
  /** Notes that runs may be suspended, and for what. */
  suspends(what: Suspension): void;
}

/** What runs are suspended for: events, delays that are not slept, or branches that are joined by the last of them. */
export type Suspension = "events" | "delays" | "branches";

/** What lowering a workflow goes by, and what it makes. */
export interface FlowContext {
  readonly program: Program;
  readonly workflow: Workflow;
  readonly entities: Entities;
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  readonly events: ReadonlyMap<string, EventDefinition>;
  /** What variables are called in functions: those that something reads. */
  readonly symbols: ReadonlyMap<string, string>;
  /** What is known of variables before each step. */
  readonly proven: DataFlow["before"];
  /** The variables that only ever count. */
  readonly counters: ReadonlySet<string>;
  /** Names that nothing else can have in functions. */
  readonly taken: ReadonlySet<string>;
  readonly drawing: Drawing;
  /** The state at which runs and branches end. */
  readonly exit: string;
  /** The variable that holds the run's correlation value, null where there is none yet; undefined where nothing asks for that. */
  readonly token: string | undefined;
  /** The variable that holds the id of the run, for workflows that are started as parts of it; undefined where none of these asks for that. */
  readonly run: string | undefined;
  /** What functions call the event that they look at. */
  readonly eventName: string;
  /** Whether a workflow that waits for this one ends where this ends its whole run: it fails with that then, and is no failure where nobody waits. */
  readonly endsCaller: boolean;
  /** Where the workflow itself goes when it is done, with its result as params. */
  readonly closing: string;
  /** Notes that the platform ends an action before the time is over that the workflow allows, in seconds. */
  isCutShort(step: Call, seconds: number): void;
  /** Notes that so many branches or iterations may run at once. */
  runsAtOnce(step: Fork | ForEach, count: number): void;
  /** Notes that a workflow which is none of the program's is waited for. */
  isElsewhere(workflow: Reference): void;
  /** Notes that something has no exact form. */
  refuse(span: Span, construct: string, hint?: string): void;
}

/** Where the steps of a scope are lowered. */
export interface ScopeContext {
  readonly flow: FlowContext;
  /** What an end of the scope leads to. */
  readonly ways: Ways;
  /** How many `Try` states are open here, counted from the workflow or the branch. */
  readonly tries: number;
  /** The variables that hold until when attempts around may last, the innermost first. */
  readonly deadlines: readonly string[];
  /** The variables that are there. */
  readonly visible: ReadonlySet<string>;
}

/** What ends of a scope lead to. */
export type Ways =
  /** The workflow, or a branch or an iteration: the result are params, and what was opened is closed. */
  | { readonly kind: "run" | "branch"; readonly closing: string }
  /** The body of an attempt: the result goes to a variable, if one wants it. */
  | {
      readonly kind: "attempt";
      readonly bind: string | undefined;
      readonly next: string;
      readonly around: ScopeContext;
    };
