import { binary, literal, variable } from "../expressions/index.ts";
import { workflowNames } from "./names.ts";
import { computeLimit, endWith, limitedBody, limitOrigin, replaceBody } from "./run-limit.ts";
import { mapScopes, reachableSteps, withSteps } from "./walk.ts";
import type { Attempt, Choose, End, Reference, RunLimit, Scope, Step, Workflow } from "./workflow.ts";

/**
 * Limits the runs of a workflow like `Workflow.timeout`. When the limit is reached, a step of the body and its
 * successors, to which nothing else leads, are executed on the variables as they are; then the run fails with the
 * timeout. Failures before the limit fail the run at once.
 */
export function limitRunBefore<W extends Workflow>(workflow: W, limit: RunLimit, runBefore: Reference): W {
  const { body } = workflow;
  const { span } = limit;
  const names = workflowNames(workflow);
  const to = (name: string): Reference => ({ name, span });
  const [result, failure, late] = [
    names.variables.fresh("result"),
    names.variables.fresh("failure"),
    names.variables.fresh("late"),
  ] as const;
  const [outer, inner, gone, decide, fail, end] = [
    names.steps.fresh("timeout"),
    names.steps.fresh("timeout/steps"),
    names.steps.fresh("timeout/result"),
    names.steps.fresh("timeout/outcome"),
    names.steps.fresh("timeout/failure"),
    names.steps.fresh("end"),
  ] as const;
  const last = reachableSteps({ ...body, entry: runBefore });
  const origin = limitOrigin(workflow);
  const steps = body.steps.filter(({ id }) => !last.has(id));
  const computed = computeLimit(limit, workflow, names);
  const attempt: Attempt = {
    ...limitedBody(inner, { ...body, steps }, limit, workflow),
    timeout: undefined,
    spans: undefined,
    bind: result,
    handlers: [{ when: literal(true), bind: failure, next: to(gone), span }],
    next: to(gone),
  };
  const left: Scope = { entry: to(inner), variables: [], steps: [attempt, endWith(gone, result, attempt)], span };
  const whole: Attempt = {
    ...limitedBody(outer, left, { ...limit, seconds: computed.seconds }, workflow),
    bind: result,
    handlers: [{ when: literal(true), bind: late, next: runBefore, span }],
    next: to(decide),
  };
  const choice: Choose = {
    kind: "choose",
    id: decide,
    origin,
    span,
    cases: [{ when: binary("==", variable(failure), literal(null)), next: to(end), span }],
    otherwise: to(fail),
  };
  const failing: End = { ...endWith(fail, failure, whole), outcome: "fail" };
  const cleanup = failWith(
    withSteps(
      body,
      body.steps.filter(({ id }) => last.has(id)),
    ),
    late,
    workflow,
  );
  const all = [...computed.stepsBefore(outer), whole, choice, endWith(end, result, whole), failing, ...cleanup];
  return {
    ...workflow,
    timeout: undefined,
    body: replaceBody(body, all, [result, failure, late, ...computed.variables]),
  };
}

/** The steps of a scope, with failures instead of successful ends of the run. */
function failWith(scope: Scope, error: string, workflow: Workflow): readonly Step[] {
  const failing = (step: Step, endsRun: boolean): Step =>
    step.kind === "end" && step.outcome === "leave" && endsRun
      ? { ...step, outcome: "fail", value: variable(error) }
      : step;
  const inner = (each: Scope): Scope =>
    withSteps(
      each,
      each.steps.map((step) => failing(step, step.kind === "end" && step.extent === "run")),
    );
  return mapScopes({ ...workflow, body: scope }, inner).body.steps.map((step) => failing(step, true));
}
