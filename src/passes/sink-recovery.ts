import { effectsOf } from "../expressions/index.ts";
import { mapScopes } from "../ir/walk.ts";
import type { Attempt, Call, Scope, Step, Workflow } from "../ir/workflow.ts";

/**
 * Moves the retries and handlers of an attempt to the call that is all it makes, which platforms can retry themselves.
 * Their conditions do not read the error, which may be another one at the attempt. A failed call changes no variables,
 * so that none need to be restored.
 */
export const sinkRecovery = {
  name: "sink-recovery",
  run: <W extends Workflow>(workflow: W): W => mapScopes(workflow, sinkInScope),
};

function sinkInScope(scope: Scope): Scope {
  const steps = scope.steps.map((step) => (step.kind === "attempt" ? sunken(step) : step));
  return steps.every((step, i) => step === scope.steps[i]) ? scope : { ...scope, steps };
}

function sunken(attempt: Attempt): Step {
  const call = onlyCall(attempt);
  const recovery = [...attempt.retries, ...attempt.handlers];
  if (
    !call ||
    attempt.bind !== undefined ||
    recovery.length === 0 ||
    recovery.some(({ when }) => effectsOf(when).free.has("error"))
  )
    return attempt;
  const { id, retries, handlers, next } = attempt;
  return { ...call, id, retries, handlers, next };
}

/** The call of an attempt without a timeout that does nothing else. */
function onlyCall({ body, timeout }: Attempt): Call | undefined {
  const [only, end] = body.steps;
  if (timeout !== undefined || body.variables.length > 0 || body.steps.length !== 2) return undefined;
  if (only?.kind !== "call" && only?.kind !== "attempt") return undefined;
  if (body.entry.name !== only.id || only.retries.length + only.handlers.length > 0) return undefined;
  if (end?.kind !== "end" || end.outcome !== "leave" || end.value.kind !== "literal" || only.next.name !== end.id)
    return undefined;
  return only.kind === "call" ? only : only.bind === undefined ? onlyCall(only) : undefined;
}
