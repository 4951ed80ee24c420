import type { Program } from "../../src/ir/program.ts";
import { innerScopes, stepsOf } from "../../src/ir/walk.ts";
import type { ErrorNames, Invoke, Step, Workflow } from "../../src/ir/workflow.ts";
import { outerErrorNames } from "./errors.ts";

/**
 * What languages call errors that nothing has named and that come out of the subflows of a step: absent where the workflow itself calls them so; `mixed`
 * where that depends on which subflow an error is of, as what an execution fails with does not say that.
 */
export type SubflowErrorNames = ErrorNames | "mixed" | undefined;

/** How the errors of subflows are named, in workflows of a program. */
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

/** A workflow, and those that it waits for. */
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
