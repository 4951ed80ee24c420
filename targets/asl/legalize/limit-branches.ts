import {
  binary,
  type Expression,
  equalExpressions,
  literal,
  object,
  query,
  variable,
} from "../../../src/expressions/index.ts";
import { workflowNames } from "../../../src/ir/names.ts";
import { mapOwnScopes, stepsOf } from "../../../src/ir/walk.ts";
import type {
  Assign,
  Branch,
  Choose,
  ForEach,
  Fork,
  Scope,
  ScopeVariable,
  Step,
  Workflow,
} from "../../../src/ir/workflow.ts";

/**
 * Lowers forks with limited concurrency to iterations, because a Parallel state starts all branches at once but a Map
 * state has `MaxConcurrency`.
 *
 *   fork a, b, c at most 2 at once -> done
 *   → foreach [0, 1, 2] as branch at most 2 at once { choose when $branch == 0 then a … } -> results; done := { a: $results[0], … }
 */
export function limitBranches<W extends Workflow>(workflow: W): W {
  if (!stepsOf(workflow).some((step) => step.kind === "fork" && isLimited(step))) return workflow;
  const names = workflowNames(workflow);
  return mapOwnScopes(workflow, (scope) => {
    const declared: ScopeVariable[] = [];
    const steps = scope.steps.flatMap((step): readonly Step[] => {
      const variables = step.kind === "fork" && isLimited(step) ? commonVariables(step.branches) : undefined;
      if (step.kind !== "fork" || !variables) return [step];
      const results = names.variables.fresh("results");
      declared.push({ name: results });
      const fresh = { branch: names.variables.fresh("branch"), results, way: names.steps.fresh(`${step.id}/way`) };
      return iterateBranches(step, variables, { ...fresh, named: names.steps.fresh(`${step.id}/named`) });
    });
    return declared.length === 0 ? scope : { ...scope, variables: [...scope.variables, ...declared], steps };
  });
}

/** Whether only some branches of a fork that joins on all run at once. */
export const isLimited = ({ width, branches, join }: Fork): boolean =>
  width !== undefined && width < branches.length && join.kind === "all";

/** The variables of all branches; undefined if initial values differ. */
export function commonVariables(branches: readonly Branch[]): readonly ScopeVariable[] | undefined {
  const declared = new Map<string, ScopeVariable>();
  for (const each of branches.flatMap(({ scope }) => scope.variables)) {
    const other = declared.get(each.name);
    if (other && !isSameInitial(other.initial, each.initial)) return undefined;
    declared.set(each.name, each);
  }
  return [...declared.values()];
}

const isSameInitial = (a: Expression | undefined, b: Expression | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && equalExpressions(a, b));

interface FreshNames {
  readonly branch: string;
  readonly results: string;
  readonly way: string;
  readonly named: string;
}

function iterateBranches(
  { branches, failure: _, join: __, ...fork }: Fork,
  variables: readonly ScopeVariable[],
  fresh: FreshNames,
): readonly [ForEach, Assign] {
  const { id, origin, span, bind, next } = fork;
  const inside = { origin: { ...origin, entry: false }, span };
  const cases = branches.map(({ scope, span: of }, i) => ({
    when: binary("==", variable(fresh.branch), literal(i)),
    next: scope.entry,
    span: of,
  }));
  const [last] = cases.slice(-1);
  const choice: Choose = { ...inside, kind: "choose", id: fresh.way, cases: cases.slice(0, -1), otherwise: last!.next };
  const scope: Scope = {
    entry: { name: fresh.way, span },
    variables,
    steps: [choice, ...branches.flatMap((branch) => branch.scope.steps)],
    span,
  };
  const result = (index: number): Expression =>
    query(variable(fresh.results), [{ descend: false, selectors: [{ kind: "index", index }] }]);
  const named = object(branches.map(({ name }, i) => [name, result(i)] as const));
  const items = literal(branches.map((_, i) => i));
  return [
    {
      ...fork,
      kind: "foreach",
      id,
      items,
      element: fresh.branch,
      scope,
      bind: fresh.results,
      next: { name: fresh.named, span },
    },
    {
      ...inside,
      kind: "assign",
      id: fresh.named,
      values: bind === undefined ? [] : [{ variable: bind, value: named }],
      next,
    },
  ];
}
