import { mapScopes, reachable, redirected, stepsById } from "../ir/walk.ts";
import type { Reference, Scope, Step, Workflow } from "../ir/workflow.ts";

/**
 * Ways that go past the steps which only pass on, to where these lead; and no steps that nothing leads to any more. Saves steps. A circle of such steps
 * stays as it is.
 */
export const withThreadedJumps = <W extends Workflow>(workflow: W): W => mapScopes(workflow, threaded);

function threaded(scope: Scope): Scope {
  const steps = stepsById(scope);
  const to = (reference: Reference): Reference => beyond(reference, steps);
  const jumping = { ...scope, entry: to(scope.entry), steps: scope.steps.map((step) => redirected(step, to)) };
  const reached = reachable(jumping);
  return { ...jumping, steps: jumping.steps.filter(({ id }) => reached.has(id)) };
}

function beyond(reference: Reference, steps: ReadonlyMap<string, Step>): Reference {
  const passed = new Set<string>();
  let current = reference;
  for (let step = steps.get(current.name); step && passesOn(step); step = steps.get(current.name)) {
    if (passed.has(step.id)) return reference;
    passed.add(step.id);
    current = step.next;
  }
  return current;
}

const passesOn = (step: Step): step is Extract<Step, { kind: "assign" }> =>
  step.kind === "assign" && step.values.length === 0;
