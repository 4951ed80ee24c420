import {
  call,
  type Expression,
  equalExpressions,
  literal,
  simplify,
  variable,
} from "../../../src/expressions/index.ts";
import { type WorkflowNames, workflowNames } from "../../../src/ir/names.ts";
import { mapOwnScopes } from "../../../src/ir/walk.ts";
import type { Assign, End, Scope, Step, Workflow } from "../../../src/ir/workflow.ts";

// Problem details of errors are long in JSONata. Those of an expression are constants, as nothing else can have failed
// there; a scope has the others once, for all steps that raise them.

/** Folds or shares the problem details that the steps of a workflow raise. */
export function shareRaises(workflow: Workflow): Workflow {
  if (!workflow.detailedErrors) return workflow;
  const names = workflowNames(workflow);
  return mapOwnScopes(workflow, (scope) => {
    const pointer = names.variables.fresh("raised pointer");
    const shared = shareWithin(foldWithin(scope), pointer, names);
    return shared.isShared
      ? { ...shared.scope, variables: [...shared.scope.variables, { name: pointer }] }
      : shared.scope;
  });
}

interface Raise {
  readonly error: Expression;
  readonly pointer: Expression;
  readonly standard: Expression;
}

/** The problem details that an end raises. */
function raiseOf(step: Step): Raise | undefined {
  if (step.kind !== "end" || step.outcome !== "fail" || step.extent !== "scope") return undefined;
  const { value } = step;
  if (value.kind !== "call" || value.name !== "problem" || value.isLocal) return undefined;
  const [error, pointer, standard] = value.args as readonly [Expression, Expression, Expression];
  return error.kind === "variable" && pointer.kind === "literal" ? { error, pointer, standard } : undefined;
}

/** In the scope and the bodies of its attempts. */
function foldWithin(scope: Scope): Scope {
  const steps = scope.steps.map((step) => (step.kind === "attempt" ? { ...step, body: foldWithin(step.body) } : step));
  const constant = new Set(
    steps.flatMap((step) =>
      step.kind === "attempt" && step.timeout === undefined && step.body.steps.every(onlyComputes)
        ? step.handlers.map(({ next }) => next.name)
        : [],
    ),
  );
  return { ...scope, steps: steps.map((step) => (constant.has(step.id) ? withConstant(step) : step)) };
}

const onlyComputes = (step: Step): boolean =>
  step.kind === "assign" || step.kind === "choose" || (step.kind === "end" && step.outcome === "leave");

function withConstant(step: Step): Step {
  const raise = raiseOf(step);
  if (!raise) return step;
  const error = literal({ origin: "expression", name: "ExpressionError", message: "" });
  return { ...(step as End), value: simplify(call("problem", error, raise.pointer, raise.standard)) };
}

/** In the scope, and separately in the bodies of its attempts. */
function shareWithin(
  scope: Scope,
  pointer: string,
  names: WorkflowNames,
): { readonly scope: Scope; readonly isShared: boolean } {
  let isShared = false;
  const steps = scope.steps.map((step) => {
    if (step.kind !== "attempt") return step;
    const body = shareWithin(step.body, pointer, names);
    isShared ||= body.isShared;
    return body.isShared ? { ...step, body: body.scope } : step;
  });
  const raises = steps.flatMap((step) => {
    const raise = raiseOf(step);
    return raise ? [{ step: step as End, raise }] : [];
  });
  const [first] = raises;
  if (!first) return { scope: { ...scope, steps }, isShared };
  const common = sharedSteps(first.step, first.raise, pointer, names);
  const alike = raises.filter(({ raise }) => isAlike(raise, first.raise));
  const noted = new Map(alike.map(({ step, raise }) => [step.id, notedPointer(step, raise, pointer, common[0].id)]));
  return {
    scope: { ...scope, steps: [...steps.map((step) => noted.get(step.id) ?? step), ...common] },
    isShared: true,
  };
}

const isAlike = (a: Raise, b: Raise): boolean =>
  equalExpressions(a.error, b.error) && equalExpressions(a.standard, b.standard);

/** Notes where the error was raised. */
const notedPointer = ({ id, origin, span }: End, raise: Raise, pointer: string, next: string): Assign => ({
  kind: "assign",
  id,
  origin,
  span,
  values: [{ variable: pointer, value: raise.pointer }],
  next: { name: next, span },
});

/** Computes the details of the error in its variable, and raises it. */
function sharedSteps(
  { origin, span }: End,
  { error, standard }: Raise,
  pointer: string,
  { steps: names }: WorkflowNames,
): readonly [Assign, End] {
  const name = error.kind === "variable" ? error.name : "";
  const end: End = {
    kind: "end",
    id: names.fresh("raised"),
    origin: { ...origin, part: "raised" },
    span,
    outcome: "fail",
    extent: "scope",
    value: variable(name),
  };
  const assign: Assign = {
    kind: "assign",
    id: names.fresh("raise"),
    origin: { ...origin, part: "raise" },
    span,
    values: [{ variable: name, value: call("problem", error, variable(pointer), standard) }],
    next: { name: end.id, span },
  };
  return [assign, end];
}
