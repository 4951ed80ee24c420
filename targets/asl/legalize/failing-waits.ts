import {
  binary,
  canFail,
  type Expression,
  literal,
  query,
  simplify,
  variable,
} from "../../../src/expressions/index.ts";
import { type NameSpace, workflowNames } from "../../../src/ir/names.ts";
import { innerScopes, mapScopes, patternsOf, stepsOf } from "../../../src/ir/walk.ts";
import type { Choose, End, ForEach, Receive, Scope, Step, Workflow } from "../../../src/ir/workflow.ts";
import { failedCondition } from "../runtime/tasks.ts";

/**
 * Raises errors of event conditions after the wait: the function that matches events evaluates conditions for all
 * runs, and ends the wait with the error.
 *
 *   A: receive paid when … -> received; next B
 *   → A: receive …; A/looked: choose when $received.alternative == -1 then A/failed, else B; A/failed: fail
 */
export function raiseWaitErrors<W extends Workflow>(workflow: W): W {
  if (!stepsOf(workflow).some(mayWaitFail)) return workflow;
  const { steps: names } = workflowNames(workflow);
  return mapScopes(workflow, (scope) => ({
    ...scope,
    steps: scope.steps.flatMap((step) => (mayWaitFail(step) ? checkWait(step, names) : [step])),
  }));
}

/** Whether a condition of a wait may fail. */
export const mayWaitFail = (step: Step): step is Receive =>
  step.kind === "receive" && patternsOf(step.alternatives).some(({ when }) => when && canFail(simplify(when)));

function checkWait(step: Receive, names: NameSpace): readonly Step[] {
  const [looked, failed] = [names.fresh(`${step.id}/looked`), names.fresh(`${step.id}/failed`)];
  const { span, bind, next } = step;
  const inside = { origin: { ...step.origin, entry: false }, span };
  const received = (...path: readonly (string | number)[]): Expression =>
    query(
      variable(bind),
      path.map((part) => ({
        descend: false,
        selectors: [typeof part === "number" ? { kind: "index", index: part } : { kind: "name", name: part }],
      })),
    );
  const choose: Choose = {
    ...inside,
    kind: "choose",
    id: looked,
    cases: [
      { when: binary("==", received("alternative"), literal(failedCondition)), next: { name: failed, span }, span },
    ],
    otherwise: next,
  };
  const end: End = {
    ...inside,
    kind: "end",
    id: failed,
    outcome: "fail",
    extent: "scope",
    value: received("groups", 0, "event"),
  };
  return [{ ...step, next: { name: looked, span } }, choose, end];
}

/** Declares the index of each iteration with waits, to distinguish concurrent ones. */
export function indexWaits<W extends Workflow>(workflow: W): W {
  const isOpen = (step: Step): step is ForEach =>
    step.kind === "foreach" && step.index === undefined && waitsIn(step.scope);
  if (!stepsOf(workflow).some(isOpen)) return workflow;
  const { variables } = workflowNames(workflow);
  const counted = (step: Step): Step => (isOpen(step) ? { ...step, index: variables.fresh("index") } : step);
  return mapScopes(workflow, (scope) => ({ ...scope, steps: scope.steps.map(counted) }));
}

const waitsIn = ({ steps }: Scope): boolean =>
  steps.some((step) => step.kind === "receive" || innerScopes(step).some(waitsIn));
