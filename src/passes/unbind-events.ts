import { computeLiveness, createDataFlowGraph } from "../cfg/index.ts";
import { mapOwnScopes, stepsOf } from "../ir/walk.ts";
import type { Scope, Step, Workflow } from "../ir/workflow.ts";

/** Removes the bindings of emitted events that are never read, so that targets need not compute these before. */
export const unbindEvents = <W extends Workflow>(workflow: W): W =>
  stepsOf(workflow).some(isBound) ? mapOwnScopes(workflow, unbindInScope) : workflow;

const isBound = (step: Step): boolean => step.kind === "emit" && step.bind !== undefined;

/** The bodies of attempts share the variables of the scope, and its liveness. */
function unbindInScope(scope: Scope): Scope {
  const live = computeLiveness(createDataFlowGraph(scope));
  const unbindIn = (inner: Scope): Scope => {
    const steps = inner.steps.map((step): Step => {
      if (step.kind === "attempt") {
        const body = unbindIn(step.body);
        return body === step.body ? step : { ...step, body };
      }
      if (step.kind !== "emit" || step.bind === undefined || live.get(step.next.name)?.has(step.bind)) return step;
      return { ...step, bind: undefined };
    });
    return steps.every((step, i) => step === inner.steps[i]) ? inner : { ...inner, steps };
  };
  return unbindIn(scope);
}
