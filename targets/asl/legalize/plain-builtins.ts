import { literal } from "../../../src/expressions/index.ts";
import { type BuiltIn, builtInOf } from "../../../src/ir/protocols.ts";
import { mapScopes, stepsOf } from "../../../src/ir/walk.ts";
import type { Call, Step, Workflow } from "../../../src/ir/workflow.ts";

/** Removes from calls of built-in functions what those that a machine computes do not have. */
export function plainBuiltIns(workflow: Workflow): Workflow {
  const isBuiltIn = (step: Step): step is Call => step.kind === "call" && builtInOfCall(step, workflow) !== undefined;
  if (!stepsOf(workflow).some(isBuiltIn)) return workflow;
  const plain = (step: Call): Call => ({ ...step, argument: literal(null), retries: [], handlers: [] });
  return mapScopes(workflow, (scope) => ({
    ...scope,
    steps: scope.steps.map((step) => (isBuiltIn(step) ? plain(step) : step)),
  }));
}

/** The built-in function that a step calls. */
export const builtInOfCall = (step: Call, { functions }: Workflow): BuiltIn | undefined =>
  builtInOf(functions.find(({ name }) => name === step.function.name)?.protocol);
