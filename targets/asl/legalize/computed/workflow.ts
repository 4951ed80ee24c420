import { assigned, handlersOf, retriesOf, stepsOf } from "../../../../src/ir/walk.ts";
import type { Branch, Scope, Step, VariableDeclaration, Workflow } from "../../../../src/ir/workflow.ts";
import { begin } from "./firsts.ts";
import { type Recovering, recover } from "./recovery.ts";
import { type Computed, expressionsFunction, type Impossible, type Site } from "./site.ts";
import { work } from "./work.ts";

/** A workflow that asks a function of its own for what JSONata cannot say. */
export interface Legal {
  readonly workflow: Workflow;
  readonly computed: readonly Computed[];
  /** What neither JSONata nor that function can compute: it stands where it stood. */
  readonly impossible: readonly Impossible[];
  /** The ids of all steps; of those that were made, with the id of the step that they were made for. */
  readonly steps: ReadonlyMap<string, string | undefined>;
}

/**
 * The workflow with calls of `expressionsFunction` for what JSONata has no exact form for: it runs as the given one does, with the same errors at the
 * same points. `uncaught`: steps whose values may fail where a handler wants the error, and no state can catch it.
 */
export function throughFunction(workflow: Workflow, uncaught: ReadonlySet<string>): Legal {
  const site: Site = {
    document: workflow.input,
    taken: new Map(stepsOf(workflow).map(({ id }) => [id, undefined])),
    uncaught,
    errors: errorVariables(workflow),
    computed: [],
    impossible: [],
    declare: () => {},
  };
  const body = scopeOf(workflow.body, undefined, site);
  const functions = [...workflow.functions, { name: expressionsFunction, span: workflow.span }];
  return {
    workflow: { ...workflow, body, functions },
    computed: site.computed,
    impossible: site.impossible,
    steps: site.taken,
  };
}

/** The variables that handlers bind, and nothing else gives a value. */
function errorVariables(workflow: Workflow): Set<string> {
  const steps = stepsOf(workflow);
  const bound = steps.flatMap((step) => handlersOf(step).flatMap(({ bind }) => (bind === undefined ? [] : [bind])));
  const others = new Set(
    steps.flatMap((step) =>
      step.kind === "assign" ? assigned(step) : "bind" in step && step.bind !== undefined ? [step.bind] : [],
    ),
  );
  return new Set(bound.filter((name) => !others.has(name)));
}

/** A scope with variables of its own; `owner` is the step that runs it. */
function scopeOf(scope: Scope, owner: Step | undefined, site: Site): Scope {
  const names = new Set(scope.variables.map(({ name }) => name));
  const added: VariableDeclaration[] = [];
  const declare = (...wanted: readonly string[]): void => {
    for (const name of wanted) if (!names.has(name)) added.push({ name });
    for (const name of wanted) names.add(name);
  };
  const own: Site = { ...site, declare };
  const steps = scope.steps.flatMap((step) => stepsFor(step, own));
  const begun = begin({ ...scope, steps }, owner, own);
  return { ...scope, ...begun, variables: [...begun.variables, ...added] };
}

function stepsFor(step: Step, site: Site): readonly Step[] {
  const whole = withInner(step, site);
  if (!("retries" in whole) || retriesOf(whole).length + handlersOf(whole).length === 0) return work(whole, site);
  const { before, tried, after } = recover(whole satisfies Recovering, site);
  return [...before, tried, ...after].flatMap((each) => work(each, site));
}

/** A step with such scopes in it. */
function withInner(step: Step, site: Site): Step {
  switch (step.kind) {
    case "fork":
      return {
        ...step,
        branches: step.branches.map((each): Branch => ({ ...each, scope: scopeOf(each.scope, step, site) })),
      };
    case "foreach":
      return { ...step, scope: scopeOf(step.scope, step, site) };
    case "attempt":
      return { ...step, body: { ...step.body, steps: step.body.steps.flatMap((each) => stepsFor(each, site)) } };
    default:
      return step;
  }
}
