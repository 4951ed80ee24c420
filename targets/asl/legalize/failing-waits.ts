import {
  binary,
  canFail,
  type Expression,
  literal,
  query,
  simplify,
  variable,
} from "../../../src/expressions/index.ts";
import { type NameScope, workflowNames } from "../../../src/ir/names.ts";
import { mapScopes, patternsOf, stepsOf } from "../../../src/ir/walk.ts";
import type { Choose, End, Receive, Step, Workflow } from "../../../src/ir/workflow.ts";
import { failedLook } from "../runtime/model.ts";

/**
 * The function that matches events computes conditions on them for all runs at once; where one fails, the wait of the run whose it is ends with what it failed
 * with. Steps behind the wait fail with that in its place.
 *
 *   A: receive paid when … -> received; next B  →  A: receive … next A/looked; A/looked: choose when $received.alternative == -1 then A/failed, else B; A/failed: fail
 */
export function raiseWaitErrors<W extends Workflow>(workflow: W): W {
  if (!stepsOf(workflow).some(mayWaitFail)) return workflow;
  const { steps: names } = workflowNames(workflow);
  return mapScopes(workflow, (scope) => ({
    ...scope,
    steps: scope.steps.flatMap((step) => (mayWaitFail(step) ? checkWait(step, names) : [step])),
  }));
}

/** Whether a step waits for events with a condition that may fail. */
export const mayWaitFail = (step: Step): step is Receive =>
  step.kind === "receive" && patternsOf(step.alternatives).some(({ when }) => when && canFail(simplify(when)));

function checkWait(step: Receive, names: NameScope): readonly Step[] {
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
    cases: [{ when: binary("==", received("alternative"), literal(failedLook)), next: { name: failed, span }, span }],
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
