import { workflowNames } from "../../../src/ir/names.ts";
import { innerScopes, mapScopes, stepsOf } from "../../../src/ir/walk.ts";
import type { ForEach, Scope, Step, Workflow } from "../../../src/ir/workflow.ts";

/** Declares the index of each iteration with waits, to distinguish concurrent ones. */
export function indexWaits<W extends Workflow>(workflow: W): W {
  const isOpen = (step: Step): step is ForEach =>
    step.kind === "foreach" && step.index === undefined && waitsIn(step.scope);
  if (!stepsOf(workflow).some(isOpen)) return workflow;
  const { variables } = workflowNames(workflow);
  const counted = (step: Step): Step => (isOpen(step) ? { ...step, index: variables.fresh("index") } : step);
  return mapScopes(workflow, (scope) => ({ ...scope, steps: scope.steps.map(counted) }));
}

const waitsIn = ({ steps }: Scope): boolean =>
  steps.some((step) => step.kind === "receive" || innerScopes(step).some(waitsIn));
