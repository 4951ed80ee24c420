import { literal } from "../../../src/expressions/index.ts";
import { workflowNames } from "../../../src/ir/names.ts";
import { type BuiltIn, builtInOf } from "../../../src/ir/protocols.ts";
import { mapScopes, stepsOf } from "../../../src/ir/walk.ts";
import type { Call, Delay, Step, Workflow } from "../../../src/ir/workflow.ts";
import { derivedOrigin } from "../../../src/passes/index.ts";

/**
 * Adds an empty delay after each call of a built-in function. Otherwise a later step could be folded into its state,
 * and repeat the call at each use of the result.
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
  return mapScopes(workflow, (scope) => ({
    ...scope,
    steps: scope.steps.flatMap((step) => (isBuiltIn(step) ? isolate(step) : [step])),
  }));
}

/** The built-in function that a step calls. */
export const builtInOfCall = (step: Call, { functions }: Workflow): BuiltIn | undefined =>
  builtInOf(functions.find(({ name }) => name === step.function.name)?.protocol);
