import { literal } from "../../../src/expressions/index.ts";
import type { WorkflowNames } from "../../../src/ir/names.ts";
import { mapScopes, withSteps } from "../../../src/ir/walk.ts";
import type { Attempt, End, ForEach, Step, StepBase, Workflow } from "../../../src/ir/workflow.ts";
import { derivedOrigin } from "../../../src/passes/index.ts";

/** Whether a loop continues after the failure of an iteration. */
export const isTolerant = (step: Step): step is ForEach =>
  step.kind === "foreach" &&
  step.tolerates !== undefined &&
  [step.tolerates.count, step.tolerates.percentage].some((limit) => limit !== undefined && limit !== 0);

/**
 * Lowers loops that fail with their own error after any failure.
 *
 *   foreach element in items { work }, failing as E
 *   → attempt { foreach element in items { work }; on error: fail with E }
 */
export const plainLoops = (workflow: Workflow, { steps: ids }: WorkflowNames): Workflow =>
  mapScopes(workflow, (scope) =>
    scope.steps.some((step) => step.kind === "foreach" && step.tolerates)
      ? withSteps(
          scope,
          scope.steps.flatMap((step) => (step.kind === "foreach" ? plainLoop(step, ids) : [step])),
        )
      : scope,
  );

function plainLoop(step: ForEach, ids: WorkflowNames["steps"]): readonly Step[] {
  const { tolerates, retries, handlers, next, span, id } = step;
  if (!tolerates) return [step];
  const part = (what: string): StepBase => ({
    id: ids.fresh(`${id}/${what}`),
    origin: derivedOrigin(step, what),
    span,
  });
  const error = literal({ origin: "fail", ...tolerates.error });
  const failed: End = { ...part("exceeded"), kind: "end", outcome: "fail", extent: "scope", value: error };
  const caught = { when: literal(true), next: { name: failed.id, span }, span };
  const loop: ForEach = { ...step, tolerates: undefined, retries: [], handlers: [caught] };
  if (retries.length === 0 && handlers.length === 0) return [loop, failed];
  const done: End = { ...part("done"), kind: "end", outcome: "leave", extent: "scope", value: literal(null) };
  const inner = { ...loop, ...part("iterations"), next: { name: done.id, span } };
  const body = { entry: { name: inner.id, span }, variables: [], steps: [inner, failed, done], span };
  const { origin } = step;
  const attempt: Attempt = { kind: "attempt", id, origin, span, body, restore: [], retries, handlers, next };
  return [attempt];
}
