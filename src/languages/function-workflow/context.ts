import type { Expression } from "../../expressions/index.ts";
import { variable } from "../../expressions/index.ts";
import type { Workflow as Definition, EventTrigger, State } from "../../generated/function-workflow-definition.ts";
import type { FunctionDefinition } from "../../ir/workflow.ts";
import { createStepWriter, type Reading, type StepIds, type StepWriter as Steps } from "../shared/index.ts";
import type { ScopePlan } from "./plan.ts";

/** What all parts of the lowering of one definition know. */
export interface Context extends Reading {
  readonly definition: Definition;
  /** The states of the workflow itself. */
  readonly root: ScopePlan;
  readonly ids: StepIds;
  /** Where each state is, by its name. */
  readonly scopesByName: ReadonlyMap<string, ScopePlan>;
  readonly triggers: ReadonlyMap<string, EventTrigger>;
  /** What actions call, by name; filled while states are lowered. */
  readonly functions: Map<string, FunctionDefinition>;
}

/** Where the steps of one state go. */
export interface Writer extends Steps {
  readonly context: Context;
  readonly plan: ScopePlan;
  readonly name: string;
  readonly state: State;
}

/** A writer for one state of a scope. */
export function createWriter(
  context: Context,
  plan: ScopePlan,
  name: string,
  scope: Pick<Steps, "slots" | "variables">,
): Writer {
  const state = plan.states.get(name)!;
  const construct = { noun: `${state.type.toLowerCase()} state`, name, span: plan.spanOfName(name) };
  return { ...createStepWriter(construct, plan.entries.get(name)!, context.ids, scope), context, plan, name, state };
}

/** The data with which a state begins; from its input filter on, what that has selected. */
export const data: Expression = variable("data");
