import { literal } from "../../../src/expressions/index.ts";
import type { Step, Workflow } from "../../../src/ir/workflow.ts";
import type { Composition } from "../composition.ts";

/** A workflow as a composition; undefined where something in it has no exact form. */
export function lowered({ body: { steps } }: Workflow): Composition | undefined {
  const [only] = steps;
  if (!only || steps.length > 1 || !isDone(only)) return undefined;
  return { Entry: only.id, Exit: only.id, States: { [only.id]: { Type: "Task", Value: {} } } };
}

const isDone = (step: Step): boolean => step.kind === "end" && step.value === literal({});
