import type { Expression } from "../../expressions/index.ts";
import type { Workflow as Definition, Step } from "../../generated/yawl-definition.ts";
import type { NameScope } from "../../ir/names.ts";
import type { FunctionDefinition, Retry } from "../../ir/workflow.ts";
import type { LanguageOptions, OptionDefinition } from "../../options.ts";
import {
  createStepWriter,
  type Fragment,
  type Reading,
  type StepIds,
  type StepWriter as Steps,
  spanOf,
} from "../shared/index.ts";
import type { ScopePlan } from "./plan.ts";
import type { StepKind } from "./step-kinds.ts";

/** What all parts of the lowering of one definition know. */
export interface Context extends Reading {
  readonly definition: Definition;
  readonly settings: Settings;
  /** Whether holes may be written in braces too, as they are since version 0.2. */
  readonly braces: boolean;
  /** The steps of the workflow itself. */
  readonly root: ScopePlan;
  readonly ids: StepIds;
  /** Where each step is, by its id. */
  readonly scopesByName: ReadonlyMap<string, ScopePlan>;
  /** The retries of steps that say nothing of them. */
  readonly retries: readonly Retry[];
  /** What steps call; filled while steps are lowered. */
  readonly functions: FunctionDefinition[];
}

/** A scope of the IR that is being written: one of the source, with the rounds of while steps in it, which share its variables. */
export interface ScopeFrame {
  readonly slots: Steps["slots"];
  readonly variables: Map<string, Expression | undefined>;
  readonly names: NameScope;
  /** Whether it is that of the workflow, and no branch or iteration. */
  readonly isOutermost: boolean;
}

/** A scope of the source that is being lowered. */
export interface ScopeWriter {
  readonly plan: ScopePlan;
  readonly frame: ScopeFrame;
  /** The variable that holds the scope's state. */
  readonly state: string;
  /** The state of the workflow before the step of it that is running. */
  readonly global: Expression;
  /** The variable that holds what the last step has put out; absent where nothing asks for it. */
  readonly lastOutput: string | undefined;
  /** Whether its state goes on in another round when it is left. */
  readonly isLoopBody?: boolean | undefined;
  /** Leaves the scope with its result. */
  leave(writer: Writer, result: Expression): Fragment;
}

/** Where the steps of one step of the source go. */
export interface Writer extends Steps {
  readonly context: Context;
  readonly scope: ScopeWriter;
  readonly id: string;
}

/** A writer for one step of a scope. */
export function createWriter(context: Context, scope: ScopeWriter, id: string, kind: StepKind): Writer {
  const { plan, frame } = scope;
  const construct = { noun: `${kind} step`, name: id, span: spanOf(context, plan.steps, id, "key") };
  return { ...createStepWriter(construct, plan.entries.get(id)!, context.ids, frame), context, scope, id };
}

/** A step of the source as it is written: what it does, and how. */
export const stepOf = ({ scope, id }: Writer): Step => scope.plan.steps[id]!;

/** The choices that the language leaves to the user, as its documentation says both. */
export const optionDefinitions: readonly OptionDefinition[] = [
  {
    name: "initialState",
    values: ["auto", "input", "wrapped"],
    fallback: "auto",
    summary:
      "The initial state of a run: its input (`input`), its input with a copy under `input` (`wrapped`), or `wrapped` only if the input is not an object or `.input` is read (`auto`).",
  },
  {
    name: "resultMode",
    values: ["state", "last-output"],
    fallback: "state",
    summary:
      "The result of a run, a branch or an iteration: its state, unless the last step has an `output` (`state`), or the output of the last step that can have one (`last-output`).",
  },
];

/** The choices as lowering uses them. */
export interface Settings {
  readonly initialState: "auto" | "input" | "wrapped";
  readonly resultMode: "state" | "last-output";
}

/** Reads the choices. */
export function settingsOf(options: LanguageOptions): Settings {
  const { initialState = "auto", resultMode = "state" } = options;
  return { initialState, resultMode } as Settings;
}
