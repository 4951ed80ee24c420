import { stepsOf } from "./walk.ts";
import type { Program, Workflow } from "./workflow.ts";

/**
 * Sorts the workflows of a program by id, in the order of UTF-16 units, so that output does not depend on the order of
 * sources.
 */
export const sortWorkflows = ({ workflows, ...program }: Program): Program => ({
  ...program,
  workflows: workflows.toSorted(byId),
});

const byId = (a: Workflow, b: Workflow): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/**
 * The workflow that examples of commands use: the first one by id that no other workflow of the program starts, or the
 * first one if each is started by another.
 */
export function mainWorkflow({ workflows }: Pick<Program, "workflows">): Workflow | undefined {
  const sorted = workflows.toSorted(byId);
  const started = new Set(sorted.flatMap((workflow) => startedBy(workflow)));
  return sorted.find(({ id }) => !started.has(id)) ?? sorted[0];
}

/** The ids of the other workflows that a workflow starts. */
const startedBy = (workflow: Workflow): readonly string[] =>
  stepsOf(workflow).flatMap((step) =>
    step.kind === "invoke" && step.workflow.name !== workflow.id ? [step.workflow.name] : [],
  );
