import type { Expression } from "../../expressions/index.ts";
import type { Workflow as Definition, Step } from "../../generated/yawl-definition.ts";
import type { NameSpace } from "../../ir/names.ts";
import type { FunctionDefinition, Retry } from "../../ir/workflow.ts";
import type { LanguageOptions } from "../../options.ts";
import { type ReadContext, spanOf } from "../shared/properties.ts";
import { createStepWriter, type StepFragment, type StepIds, type StepWriter as Steps } from "../shared/steps.ts";
import type { ScopePlan } from "./plan.ts";
import type { StepKind } from "./step-kinds.ts";

/** The state of a lowering. */
export interface Context extends ReadContext {
  readonly definition: Definition;
  readonly settings: LanguageSettings;
  readonly braces: boolean;
  readonly root: ScopePlan;
  readonly ids: StepIds;
  readonly scopesByName: ReadonlyMap<string, ScopePlan>;
  readonly retries: readonly Retry[];
  readonly functions: FunctionDefinition[];
}

/** A scope of the IR, shared by bodies of while steps. */
export interface ScopeFrame {
  readonly slots: Steps["slots"];
  readonly variables: Map<string, Expression | undefined>;
  readonly names: NameSpace;
  readonly isOutermost: boolean;
}

/** A scope of the source. */
export interface ScopeWriter {
  readonly plan: ScopePlan;
  readonly frame: ScopeFrame;
  readonly state: string;
  /** The workflow's state before its current step. */
  readonly global: Expression;
  readonly lastOutput: string | undefined;
  readonly isLoopBody?: boolean | undefined;
  leave(writer: Writer, result: Expression): StepFragment;
}

/** Collects the steps of one source step. */
export interface Writer extends Steps {
  readonly context: Context;
  readonly scope: ScopeWriter;
  readonly id: string;
}

/** Creates a writer for one step of a scope. */
export function createWriter(context: Context, scope: ScopeWriter, id: string, kind: StepKind): Writer {
  const { plan, frame } = scope;
  const construct = { noun: `${kind} step`, name: id, span: spanOf(context, plan.steps, id, "key") };
  return { ...createStepWriter(construct, plan.entries.get(id)!, context.ids, frame), context, scope, id };
}

/** The source of the step. */
export const stepOf = ({ scope, id }: Writer): Step => scope.plan.steps[id]!;

/** The options in effect. */
export interface LanguageSettings {
  readonly initialState: "auto" | "input" | "wrapped";
  readonly resultMode: "state" | "last-output";
}

/** Reads the options. */
export function settingsOf(options: LanguageOptions): LanguageSettings {
  const { initialState = "auto", resultMode = "state" } = options;
  return { initialState, resultMode } as LanguageSettings;
}
