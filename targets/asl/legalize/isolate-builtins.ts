import { literal } from "../../../src/expressions/index.ts";
import { workflowNames } from "../../../src/ir/names.ts";
import { type BuiltIn, builtInOf } from "../../../src/ir/protocols.ts";
import { mapScopes, stepsById, stepsOf, successors } from "../../../src/ir/walk.ts";
import type { Call, Delay, Scope, Step, Workflow } from "../../../src/ir/workflow.ts";
import { derivedOrigin } from "../../../src/passes/index.ts";

/**
 * Adds an empty delay after calls of built-in functions, once for several in a row. Otherwise a later step could be
 * folded into their state, and repeat a call at each use of its result.
 */
export function isolateBuiltIns(workflow: Workflow): Workflow {
  const isBuiltIn = (step: Step): step is Call => step.kind === "call" && builtInOfCall(step, workflow) !== undefined;
  if (!stepsOf(workflow).some(isBuiltIn)) return workflow;
  const { steps: names } = workflowNames(workflow);
  const isolate = (step: Call): readonly Step[] => {
    const { span } = step;
    const delay: Delay = {
      kind: "delay",
      id: names.fresh(`${step.id}/given`),
      origin: derivedOrigin(step, "given"),
      span,
      wait: { kind: "for", seconds: literal(0) },
      next: step.next,
    };
    return [{ ...step, argument: literal(null), retries: [], handlers: [], next: { name: delay.id, span } }, delay];
  };
  const direct = (step: Call): Call => ({ ...step, argument: literal(null), retries: [], handlers: [] });
  return mapScopes(workflow, (scope) => {
    const steps = stepsById(scope);
    const entries = countEntries(scope);
    const isFollowed = ({ next }: Call): boolean => {
      const following = steps.get(next.name);
      return following !== undefined && isBuiltIn(following) && entries.get(next.name) === 1;
    };
    return {
      ...scope,
      steps: scope.steps.flatMap((step) => {
        if (!isBuiltIn(step)) return [step];
        return isFollowed(step) ? [direct(step)] : isolate(step);
      }),
    };
  });
}

/** How many edges lead to each step of a scope, including that to its first one. */
function countEntries({ entry, steps }: Scope): ReadonlyMap<string, number> {
  const counts = new Map([[entry.name, 1]]);
  for (const { name } of steps.flatMap(successors)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** The built-in function that a step calls. */
export const builtInOfCall = (step: Call, { functions }: Workflow): BuiltIn | undefined =>
  builtInOf(functions.find(({ name }) => name === step.function.name)?.protocol);
