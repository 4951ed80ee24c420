import { innerScopes, stepsOf } from "../../src/ir/walk.ts";
import type { ErrorNames, Invoke, Program, Step, Workflow } from "../../src/ir/workflow.ts";
import { outerErrorNames } from "./errors.ts";

/**
 * The names that unnamed errors of a step's subflows have: undefined if they are those of the workflow; `mixed` if they
 * depend on the subflow, which the error of an execution does not show.
 */
export type SubflowErrorNames = ErrorNames | "mixed" | undefined;

/** The error names of a step's subflows. */
export function subflowErrorNames(step: Step, workflow: Workflow, program: Program): SubflowErrorNames {
  const all = awaitedInvokes(step).map((each) => namesOf(each, workflow, program));
  const [first] = all;
  return all.every((each) => isSame(each, first)) ? first : "mixed";
}

const awaitedInvokes = (step: Step): readonly Invoke[] =>
  step.kind === "invoke"
    ? step.wait
      ? [step]
      : []
    : innerScopes(step).flatMap(({ steps }) => steps.flatMap(awaitedInvokes));

function namesOf({ workflow: { name } }: Invoke, { errorNames }: Workflow, program: Program): SubflowErrorNames {
  const called = program.byId.get(name)?.errorNames ?? errorNames;
  const below = [...awaitedWorkflows(name, program)].flatMap((each) => each.errorNames ?? []);
  if (!below.every((each) => isSame(each, called))) return "mixed";
  return called && !isSame(called, errorNames) ? outerErrorNames(called, errorNames) : undefined;
}

/** A workflow, and those that it waits for, transitively. */
function awaitedWorkflows(name: string, { byId }: Program): ReadonlySet<Workflow> {
  const first = byId.get(name);
  const found = new Set(first ? [first] : []);
  for (const each of found)
    for (const { workflow } of stepsOf(each).flatMap(awaitedInvokes)) {
      const next = byId.get(workflow.name);
      if (next) found.add(next);
    }
  return found;
}

const isSame = (a: SubflowErrorNames, b: SubflowErrorNames): boolean => JSON.stringify(a) === JSON.stringify(b);
