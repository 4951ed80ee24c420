import {
  balanced,
  binary,
  call,
  conditional,
  type Expression,
  literal,
  variable,
} from "../../../src/expressions/index.ts";
import { workflowNames } from "../../../src/ir/names.ts";
import { mapOwnScopes } from "../../../src/ir/walk.ts";
import type { Assign, Choose, End, Reference, Scope, StepOrigin, Window, Workflow } from "../../../src/ir/workflow.ts";
import { intrinsics } from "../intrinsics.ts";

/**
 * Lowers time windows to steps that compare with the current time: a branch starts with a choice; a run outside the
 * window of its workflow fails in its first state, unless the event function has checked the window.
 *
 *   active until 2026-03-01T00:00:00Z; Snow: …
 *   → window: choose when now < "2026-03-01T00:00:00.000Z" then Snow else outside; outside: end with $data
 */
export function queryWindows<W extends Workflow>(workflow: W, { checksStart }: { readonly checksStart: boolean }): W {
  const { start, input } = workflow;
  const { steps: names } = workflowNames(workflow);
  const checked = mapOwnScopes(workflow, (scope) =>
    scope.window ? checkBranchWindow(scope, scope.window, input, names.fresh) : scope,
  );
  return start.window && checksStart
    ? { ...checked, body: checkStartWindow(checked.body, start.window, workflow, names.fresh) }
    : checked;
}

function checkBranchWindow({ window: _, ...scope }: Scope, window: Window, document: string, fresh: Fresh): Scope {
  const { entry, span } = scope;
  const outside: End = {
    ...derivedAt(scope, "outside"),
    kind: "end",
    id: fresh(`${entry.name}/outside`),
    outcome: "leave",
    extent: "scope",
    value: variable(document),
  };
  const test: Choose = {
    ...derivedAt(scope, "window"),
    kind: "choose",
    id: fresh(`${entry.name}/window`),
    cases: [{ when: isWithin(window), next: entry, span }],
    otherwise: { name: outside.id, span },
  };
  return { ...scope, entry: { name: test.id, span }, steps: [test, ...scope.steps, outside] };
}

function checkStartWindow(scope: Scope, window: Window, { id, input }: Workflow, fresh: Fresh): Scope {
  const notActive = call("error", literal({ name: "NotActive", message: `Workflow ${id} cannot be started now.` }));
  const test: Assign = {
    ...derivedAt(scope, "window"),
    kind: "assign",
    id: fresh(`${scope.entry.name}/window`),
    values: [{ variable: input, value: conditional(isWithin(window), variable(input), notActive) }],
    next: scope.entry,
  };
  return { ...scope, entry: { name: test.id, span: scope.span }, steps: [test, ...scope.steps] };
}

type Fresh = (wanted: string) => string;

function derivedAt(
  { entry, steps, span }: Scope,
  part: string,
): { readonly origin: StepOrigin; readonly span: Reference["span"] } {
  const { origin } = steps.find(({ id }) => id === entry.name)!;
  return { origin: { ...origin, entry: false, part }, span };
}

/** Instants in ISO 8601, in UTC with milliseconds, compare as strings. */
function isWithin({ from, until }: Window): Expression {
  const compared = (operator: ">=" | "<", instant: string | undefined): readonly Expression[] =>
    instant === undefined ? [] : [binary(operator, variable(intrinsics.now), literal(new Date(instant).toISOString()))];
  return balanced("and", [...compared(">=", from), ...compared("<", until)]);
}
