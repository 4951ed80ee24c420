import { mapScopes, reachableSteps, redirectStep, stepsById } from "../ir/walk.ts";
import type { Reference, Scope, Step, Workflow } from "../ir/workflow.ts";

/** Redirects edges past empty assignments and removes unreachable steps. A cycle of empty assignments stays. */
export const threadJumps = {
  name: "jump-threading",
  run: <W extends Workflow>(workflow: W): W => mapScopes(workflow, threadScope),
};

function threadScope(scope: Scope): Scope {
  const steps = stepsById(scope);
  const to = (reference: Reference): Reference => jumpTarget(reference, steps);
  const threaded = { ...scope, entry: to(scope.entry), steps: scope.steps.map((step) => redirectStep(step, to)) };
  const reached = reachableSteps(threaded);
  return { ...threaded, steps: threaded.steps.filter(({ id }) => reached.has(id)) };
}

function jumpTarget(reference: Reference, steps: ReadonlyMap<string, Step>): Reference {
  const visited = new Set<string>();
  let current = reference;
  for (
    let step = steps.get(current.name);
    step?.kind === "assign" && step.values.length === 0;
    step = steps.get(current.name)
  ) {
    if (visited.has(step.id)) return reference;
    visited.add(step.id);
    current = step.next;
  }
  return current;
}
