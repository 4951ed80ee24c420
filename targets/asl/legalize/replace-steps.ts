import { createNames, type NameSpace } from "../../../src/ir/names.ts";
import { mapOwnScopes, stepsOf } from "../../../src/ir/walk.ts";
import type { Program, Scope, Step, Workflow } from "../../../src/ir/workflow.ts";

/** Replaces each step of a workflow, innermost scopes first. `declare` adds a variable to the step's scope. */
export function replaceSteps<W extends Workflow>(
  workflow: W,
  replace: (step: Step, declare: (name: string) => void) => readonly Step[],
): W {
  return mapOwnScopes(workflow, (scope) => {
    const declared = new Set<string>();
    const inside = (each: Scope): Scope => ({
      ...each,
      steps: each.steps
        .map((step): Step => (step.kind === "attempt" ? { ...step, body: inside(step.body) } : step))
        .flatMap((step) => replace(step, (name) => declared.add(name))),
    });
    const { steps } = inside(scope);
    return { ...scope, variables: [...scope.variables, ...Array.from(declared, (name) => ({ name }))], steps };
  });
}

/** The ids of workflows and external subflows. */
export const programIds = ({ workflows }: Program): NameSpace =>
  createNames(
    workflows.flatMap((workflow) => [
      workflow.id,
      ...stepsOf(workflow).flatMap((step) => (step.kind === "invoke" ? [step.workflow.name] : [])),
    ]),
    { number: (id, count) => `${id}-${count}` },
  );
