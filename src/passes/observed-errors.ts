import { effectsOf } from "../expressions/index.ts";
import { expressionsOf, handlersOf, innerScopes, retriesOf, stepsOf } from "../ir/walk.ts";
import type { Scope, Step, Workflow } from "../ir/workflow.ts";

/**
 * The ids of the steps whose errors the workflow may observe: a step around them has a condition that reads the error,
 * or a handler that keeps it in a variable that is read. Attempts with a timeout observe errors, because they tell
 * their own timeout from others; so do forks that spare failures, because they may fail with one of them later.
 */
export function observedSteps(workflow: Workflow): ReadonlySet<string> {
  const read = new Set(stepsOf(workflow).flatMap(readVariables));
  const observed = new Set<string>();
  const visit = ({ steps }: Scope, isObserved: boolean): void => {
    for (const step of steps) {
      if (isObserved) observed.add(step.id);
      for (const scope of innerScopes(step)) visit(scope, isObserved || observesErrors(step, read));
    }
  };
  visit(workflow.body, false);
  return observed;
}

/** Variables that a step reads, except to compute only their own next values. */
const readVariables = (step: Step): readonly string[] =>
  step.kind === "assign"
    ? step.values.flatMap(({ variable, value }) => freeVariables(value).filter((name) => name !== variable))
    : expressionsOf(step).flatMap(freeVariables);

const freeVariables = (expression: Parameters<typeof effectsOf>[0]): readonly string[] => [
  ...effectsOf(expression).free.keys(),
];

const observesErrors = (step: Step, read: ReadonlySet<string>): boolean =>
  (step.kind === "attempt" && step.timeout !== undefined) ||
  (step.kind === "fork" && step.failure === "spare") ||
  [...retriesOf(step), ...handlersOf(step)].some(({ when }) => effectsOf(when).free.has("error")) ||
  handlersOf(step).some(({ bind }) => bind !== undefined && read.has(bind));

/** Gives steps without a pointer that of the step around them, where their errors become what they are outside. */
export function inheritPointers(workflow: Workflow): Workflow {
  const within = (scope: Scope, outer: string | undefined): Scope => ({
    ...scope,
    steps: scope.steps.map((step) => inherit(step, step.origin.pointer ?? outer)),
  });
  const inherit = (step: Step, pointer: string | undefined): Step => {
    const own = pointer === step.origin.pointer ? step : { ...step, origin: { ...step.origin, pointer } };
    switch (own.kind) {
      case "fork":
        return {
          ...own,
          branches: own.branches.map((branch) => ({ ...branch, scope: within(branch.scope, pointer) })),
        };
      case "foreach":
        return { ...own, scope: within(own.scope, pointer) };
      case "attempt":
        return { ...own, body: within(own.body, pointer) };
      default:
        return own;
    }
  };
  return { ...workflow, body: within(workflow.body, undefined) };
}
