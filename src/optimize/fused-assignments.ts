import { canFail, type Expression, factsOf, simplify, substitute } from "../expressions/index.ts";
import { mapScopes, stepsById, successors } from "../ir/walk.ts";
import type { Assign, Scope, Step, Workflow } from "../ir/workflow.ts";

/**
 * Assignments that follow each other and nothing else as one: what the second computes is over what the first has computed. Only what cannot fail, since
 * a handler sees the variables as they are; and only where nothing is then computed twice. Saves steps.
 */
export const withFusedAssignments = <W extends Workflow>(workflow: W): W => mapScopes(workflow, fused);

function fused(scope: Scope): Scope {
  const entries = entriesOf(scope);
  const steps = new Map(stepsById(scope));
  for (const { id } of scope.steps) {
    for (let both = fusedWithNext(id, steps, entries); both; both = fusedWithNext(id, steps, entries)) {
      steps.delete(both.gone);
      steps.set(id, both.step);
    }
  }
  return { ...scope, steps: scope.steps.flatMap(({ id }) => steps.get(id) ?? []) };
}

/** From how many places each step is reached. */
function entriesOf({ entry, steps }: Scope): ReadonlyMap<string, number> {
  const counts = new Map([[entry.name, 1]]);
  for (const { name } of steps.flatMap(successors)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function fusedWithNext(
  id: string,
  steps: ReadonlyMap<string, Step>,
  entries: ReadonlyMap<string, number>,
): { readonly step: Assign; readonly gone: string } | undefined {
  const first = steps.get(id);
  const second = first?.kind === "assign" ? steps.get(first.next.name) : undefined;
  if (first?.kind !== "assign" || second?.kind !== "assign" || second.id === id || entries.get(second.id) !== 1)
    return undefined;
  if ([...first.values, ...second.values].some(({ value }) => canFail(simplify(value)))) return undefined;
  const given = new Map(first.values.map(({ variable, value }) => [variable, value]));
  if (!first.values.every(({ variable, value }) => isSmall(value) || readsOf(variable, second) <= 1)) return undefined;
  const later = second.values.map((each) => ({ ...each, value: substitute(each.value, given) }));
  const set = new Set(later.map(({ variable }) => variable));
  const kept = first.values.filter(({ variable }) => !set.has(variable));
  const isOnce = kept.every(({ variable, value }) => isSmall(value) || readsOf(variable, second) === 0);
  return isOnce ? { step: { ...first, values: [...kept, ...later], next: second.next }, gone: second.id } : undefined;
}

/** How often an assignment reads a variable. */
const readsOf = (variable: string, { values }: Assign): number =>
  values.reduce((sum, { value }) => sum + (factsOf(value).free.get(variable) ?? 0), 0);

/** Whether an expression may as well be computed twice. */
const isSmall = ({ kind }: Expression): boolean => kind === "literal" || kind === "variable";
