import { assigned, innerScopes, successors } from "../../../src/ir/walk.ts";
import type { Attempt, Retry, Scope, Step } from "../../../src/ir/workflow.ts";
import { errorsTaken, takesAll } from "./match.ts";

/** The variables that have to be put back before a new attempt: those that something may have set before a step fails. */
export function restored({ body, restore }: Attempt): readonly string[] {
  return restore.filter((name) => {
    const after = reachedFrom(
      body,
      body.steps.filter((step) => sets(step, name)),
    );
    return body.steps.some(
      (step) => canRaise(step) && (after.has(step.id) || (step.kind === "attempt" && sets(step, name))),
    );
  });
}

/** Retries as far as they matter: none comes after one that takes every error, and the last ones, where they allow none, change nothing. */
export function effective(retries: readonly Retry[]): readonly Retry[] {
  const all = retries.findIndex(({ when }) => takesAll(errorsTaken(when)));
  const reached = all < 0 ? retries : retries.slice(0, all + 1);
  return reached.slice(0, reached.findLastIndex(({ limit }) => limit > 0) + 1);
}

function reachedFrom(body: Scope, sources: readonly Step[]): ReadonlySet<string> {
  const steps = new Map(body.steps.map((step) => [step.id, step]));
  const reached = new Set<string>();
  const pending = sources.flatMap(successors);
  for (let reference = pending.pop(); reference; reference = pending.pop()) {
    const step = steps.get(reference.name);
    if (!step || reached.has(step.id)) continue;
    reached.add(step.id);
    pending.push(...successors(step));
  }
  return reached;
}

/** Whether a step, or one in it that shares the variables, gives a variable a value. */
function sets(step: Step, name: string): boolean {
  return (
    assigned(step).includes(name) ||
    (step.kind === "attempt" && innerScopes(step).some(({ steps }) => steps.some((inside) => sets(inside, name))))
  );
}

/** Whether a step may fail by something else than its data. */
const canRaise = (step: Step): boolean =>
  "handlers" in step || (step.kind === "end" && step.outcome === "fail") || (step.kind === "choose" && !step.otherwise);
