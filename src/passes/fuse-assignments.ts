import { canFail, type Expression, effectsOf, simplify, substitute } from "../expressions/index.ts";
import { mapScopes, stepsById, successors } from "../ir/walk.ts";
import type { Assign, Scope, Step, Workflow } from "../ir/workflow.ts";

/**
 * Fuses an assignment with its successor if that has no other predecessor. Neither may fail, because a handler would
 * see the variables between them, and
 * nothing may be computed twice.
 */
export const fuseAssignments = {
  name: "fuse-assignments",
  run: <W extends Workflow>(workflow: W): W => mapScopes(workflow, fuseScope),
};

function fuseScope(scope: Scope): Scope {
  const predecessors = countPredecessors(scope);
  const steps = new Map(stepsById(scope));
  for (const { id } of scope.steps) {
    for (let pair = fuseWithNext(id, steps, predecessors); pair; pair = fuseWithNext(id, steps, predecessors)) {
      steps.delete(pair.removed);
      steps.set(id, pair.fused);
    }
  }
  return { ...scope, steps: scope.steps.flatMap(({ id }) => steps.get(id) ?? []) };
}

function countPredecessors({ entry, steps }: Scope): ReadonlyMap<string, number> {
  const counts = new Map([[entry.name, 1]]);
  for (const { name } of steps.flatMap(successors)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function fuseWithNext(
  id: string,
  steps: ReadonlyMap<string, Step>,
  predecessors: ReadonlyMap<string, number>,
): { readonly fused: Assign; readonly removed: string } | undefined {
  const first = steps.get(id);
  const second = first?.kind === "assign" ? steps.get(first.next.name) : undefined;
  if (first?.kind !== "assign" || second?.kind !== "assign" || second.id === id || predecessors.get(second.id) !== 1)
    return undefined;
  if ([...first.values, ...second.values].some(({ value }) => canFail(simplify(value)))) return undefined;
  if (!first.values.every(({ variable, value }) => isDuplicable(value) || countReads(variable, second) <= 1))
    return undefined;
  const replacements = new Map(first.values.map(({ variable, value }) => [variable, value]));
  const later = second.values.map((each) => ({ ...each, value: substitute(each.value, replacements) }));
  const overwritten = new Set(later.map(({ variable }) => variable));
  const kept = first.values.filter(({ variable }) => !overwritten.has(variable));
  const isComputedOnce = kept.every(({ variable, value }) => isDuplicable(value) || countReads(variable, second) === 0);
  return isComputedOnce
    ? { fused: { ...first, values: [...kept, ...later], next: second.next }, removed: second.id }
    : undefined;
}

const countReads = (variable: string, { values }: Assign): number =>
  values.reduce((sum, { value }) => sum + (effectsOf(value).free.get(variable) ?? 0), 0);

const isDuplicable = ({ kind }: Expression): boolean => kind === "literal" || kind === "variable";
