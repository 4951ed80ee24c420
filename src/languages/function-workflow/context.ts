import type { Expression } from "../../expressions/index.ts";
import { variable } from "../../expressions/index.ts";
import type { Workflow as Definition, EventTrigger, State } from "../../generated/function-workflow-definition.ts";
import type { FunctionDefinition } from "../../ir/workflow.ts";
import type { ReadContext } from "../shared/properties.ts";
import { createStepWriter, type StepIds, type StepWriter as Steps } from "../shared/steps.ts";
import type { ScopePlan } from "./plan.ts";

/** The state of a lowering. */
export interface Context extends ReadContext {
  readonly definition: Definition;
  readonly root: ScopePlan;
  readonly ids: StepIds;
  readonly scopesByName: ReadonlyMap<string, ScopePlan>;
  readonly triggers: ReadonlyMap<string, EventTrigger>;
  readonly functions: Map<string, FunctionDefinition>;
}

/** Collects the steps of one state. */
export interface Writer extends Steps {
  readonly context: Context;
  readonly plan: ScopePlan;
  readonly name: string;
  readonly state: State;
}

/** Creates a writer for one state. */
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

/** The data of a state, after its input filter. */
export const data: Expression = variable("data");
