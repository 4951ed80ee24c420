import { builtInOf } from "./protocols.ts";
import { mapScopes, stepsOf, successors } from "./walk.ts";
import type { Attempt, Call, Invoke, Scope, Step, Workflow } from "./workflow.ts";

/**
 * Moves the timeout of an attempt to the only step of its body that takes time, if that is a call or a subflow: then a
 * target needs nothing around it.
 *
 *   attempt within 10 s { data := …; call charge(data); end } → attempt { data := …; call charge(data) within 10 s; end }
 */
export function narrowTimeouts<W extends Workflow>(workflow: W): W {
  if (!stepsOf(workflow).some((step) => step.kind === "attempt" && step.timeout !== undefined)) return workflow;
  return mapScopes(workflow, (scope) => {
    const steps = scope.steps.map((step) => (step.kind === "attempt" ? narrowTimeout(step, workflow) : step));
    return steps.every((step, i) => step === scope.steps[i]) ? scope : { ...scope, steps };
  });
}

function narrowTimeout(attempt: Attempt, workflow: Workflow): Attempt {
  const { timeout, body, spans } = attempt;
  const only = timeout === undefined ? undefined : onlyLasting(attempt, workflow);
  if (!only) return attempt;
  const limited = { ...only, timeout, spans: { ...only.spans, timeout: spans?.timeout } };
  const steps = body.steps.map((step): Step => (step === only ? limited : step));
  return { ...attempt, timeout: undefined, spans: undefined, body: { ...body, steps } };
}

/** The only step of a body that takes time, if its own timeout raises the error that the attempt's would. */
function onlyLasting({ body, origin }: Attempt, workflow: Workflow): Call | Invoke | undefined {
  const [step, ...others] = body.steps.filter((each) => !isInstant(each, workflow));
  if (others.length > 0 || (step?.kind !== "call" && step?.kind !== "invoke")) return undefined;
  const isOwn = step.wait && step.timeout === undefined && step.retries.length === 0 && step.handlers.length === 0;
  return isOwn && step.origin.pointer === origin.pointer && !isRepeated(step, body) ? step : undefined;
}

function isInstant(step: Step, { functions }: Workflow): boolean {
  switch (step.kind) {
    case "assign":
    case "choose":
    case "end":
      return true;
    case "call":
      return builtInOf(functions.find(({ name }) => name === step.function.name)?.protocol) !== undefined;
    default:
      return false;
  }
}

/** Whether a step may be reached from itself. */
function isRepeated(step: Step, { steps }: Scope): boolean {
  const byId = new Map(steps.map((each) => [each.id, each]));
  const reached = new Set<string>();
  const pending = [...successors(step)];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const found = reached.has(next.name) ? undefined : byId.get(next.name);
    if (!found) continue;
    if (found === step) return true;
    reached.add(found.id);
    pending.push(...successors(found));
  }
  return false;
}
