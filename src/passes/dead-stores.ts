import { computeLiveness, createDataFlowGraph } from "../cfg/index.ts";
import { canFail } from "../expressions/index.ts";
import { mapOwnScopes } from "../ir/walk.ts";
import type { Scope, Step, Workflow } from "../ir/workflow.ts";

/**
 * Removes assigned values that cannot fail and are never read, or are read only to compute such values, and assignments
 * of variables to themselves.
 */
export const removeDeadStores = {
  name: "dead-stores",
  run: <W extends Workflow>(workflow: W): W => mapOwnScopes(workflow, removeFromScope),
};

/** The bodies of attempts share the variables of the scope, and its liveness. */
function removeFromScope(scope: Scope): Scope {
  const live = computeLiveness(createDataFlowGraph(scope));
  let hasChanged = false;
  const removeFromStep = (step: Step): Step => {
    if (step.kind === "attempt") return { ...step, body: removeFromBody(step.body) };
    if (step.kind !== "assign") return step;
    const after = live.get(step.next.name);
    const values = step.values.filter(
      ({ variable, value }) =>
        (after?.has(variable) && !(value.kind === "variable" && value.name === variable)) || canFail(value),
    );
    hasChanged ||= values.length < step.values.length;
    return { ...step, values };
  };
  const removeFromBody = (body: Scope): Scope => ({ ...body, steps: body.steps.map(removeFromStep) });
  const result = removeFromBody(scope);
  return hasChanged ? removeFromScope(result) : scope;
}
